// SPDX-License-Identifier: BSD-3-Clause
// support/gemm_case_line.cpp: a case to its line of text and back.
#include <map>
#include <sstream>

#include "support/gemm_case.h"

namespace myblas::test {
namespace {

constexpr char kOperations[] = "NTC";
constexpr char kStrides[] = "tpbn";  // in the order of Stride
constexpr char kActivations[] = "irg";

template <class T>
bool parse_pair(const std::string& text, T* first, T* second) {
  char comma = 0;
  std::istringstream in(text);
  return static_cast<bool>(in >> *first >> comma >> *second) && comma == ',';
}

template <class T>
bool parse_triple(const std::string& text, T* first, T* second, T* third) {
  char comma1 = 0, comma2 = 0;
  std::istringstream in(text);
  return static_cast<bool>(in >> *first >> comma1 >> *second >> comma2 >> *third) &&
         comma1 == ',' && comma2 == ',';
}

bool parse_letter(char letter, const char* letters, int* index) {
  for (*index = 0; letters[*index] != 0; ++*index) {
    if (letters[*index] == letter) return true;
  }
  return false;
}

}  // namespace

std::string to_line(const GemmCase& gemm) {
  const auto stride = [](Stride s) { return kStrides[static_cast<int>(s)]; };
  std::ostringstream line;
  line.precision(17);
  line << "entry=" << gemm.entry->name << " type=" << gemm.combo->name
       << " op=" << kOperations[gemm.op_a] << kOperations[gemm.op_b] << " size=" << gemm.m << ','
       << gemm.n << ',' << gemm.k << " pad=" << gemm.pad_a << ',' << gemm.pad_b << ',' << gemm.pad_c
       << " offset=" << gemm.offset_a << ',' << gemm.offset_b << ',' << gemm.offset_c
       << " batch=" << gemm.batch << " stride=" << stride(gemm.stride_a) << stride(gemm.stride_b)
       << stride(gemm.stride_c) << " alpha=" << gemm.alpha.re << ',' << gemm.alpha.im
       << " beta=" << gemm.beta.re << ',' << gemm.beta.im
       << " scalars=" << (gemm.device_scalars ? "device" : "host")
       << " epilogue=" << (gemm.bias ? stride(gemm.stride_bias) : '-')
       << kActivations[gemm.activation]
       << " data=" << (gemm.data == DataKind::kReal ? "real" : "integer") << " seed=" << gemm.seed;
  return line.str();
}

std::optional<GemmCase> parse_line(const std::string& line) {
  std::map<std::string, std::string> fields;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) return std::nullopt;
    fields[word.substr(0, equals)] = word.substr(equals + 1);
  }
  GemmCase gemm;
  gemm.entry = find_entry(fields["entry"]);
  gemm.combo = find_combo(fields["type"]);
  if (gemm.entry == nullptr || gemm.combo == nullptr || !gemm.entry->serves(*gemm.combo)) {
    return std::nullopt;
  }
  const std::string& ops = fields["op"];
  int op_a = 0, op_b = 0;
  if (ops.size() != 2 || !parse_letter(ops[0], kOperations, &op_a) ||
      !parse_letter(ops[1], kOperations, &op_b)) {
    return std::nullopt;
  }
  gemm.op_a = static_cast<myblasOperation_t>(op_a);
  gemm.op_b = static_cast<myblasOperation_t>(op_b);
  const std::string& strides = fields["stride"];
  int stride_a = 0, stride_b = 0, stride_c = 0;
  if (strides.size() != 3 || !parse_letter(strides[0], kStrides, &stride_a) ||
      !parse_letter(strides[1], kStrides, &stride_b) ||
      !parse_letter(strides[2], kStrides, &stride_c)) {
    return std::nullopt;
  }
  gemm.stride_a = static_cast<Stride>(stride_a);
  gemm.stride_b = static_cast<Stride>(stride_b);
  gemm.stride_c = static_cast<Stride>(stride_c);
  const bool numbers =
      parse_triple(fields["size"], &gemm.m, &gemm.n, &gemm.k) &&
      parse_triple(fields["pad"], &gemm.pad_a, &gemm.pad_b, &gemm.pad_c) &&
      parse_triple(fields["offset"], &gemm.offset_a, &gemm.offset_b, &gemm.offset_c) &&
      parse_pair(fields["alpha"], &gemm.alpha.re, &gemm.alpha.im) &&
      parse_pair(fields["beta"], &gemm.beta.re, &gemm.beta.im) &&
      static_cast<bool>(std::istringstream(fields["batch"]) >> gemm.batch) &&
      static_cast<bool>(std::istringstream(fields["seed"]) >> gemm.seed);
  if (!numbers) return std::nullopt;
  const std::string& epilogue = fields["epilogue"];  // none in lines of old
  int stride_bias = 0, activation = 0;
  if (!epilogue.empty()) {
    gemm.bias = epilogue[0] != '-';
    if (epilogue.size() != 2 || (gemm.bias && !parse_letter(epilogue[0], kStrides, &stride_bias)) ||
        !parse_letter(epilogue[1], kActivations, &activation)) {
      return std::nullopt;
    }
  }
  gemm.stride_bias = static_cast<Stride>(stride_bias);
  gemm.activation = static_cast<myblasDropinActivation_t>(activation);
  gemm.device_scalars = fields["scalars"] == "device";
  gemm.data = fields["data"] == "real" ? DataKind::kReal : DataKind::kInteger;
  return gemm;
}

}  // namespace myblas::test
