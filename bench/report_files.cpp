// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "report.h"

namespace bench {
namespace {

std::ofstream open_output(const std::string& path) {
  std::ofstream file(path);
  if (!file) throw std::runtime_error("cannot write " + path);
  return file;
}

void write_header(std::ofstream& file, const RunHeader& header) {
  for (const auto& [key, value] : header) file << "# " << key << ": " << value << '\n';
}

// Text fields hold names and messages; a comma or a quote in one must not split it.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"') result += '"';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

std::string number(double value) {
  if (std::isnan(value)) return "nan";
  std::ostringstream text;
  text << std::setprecision(6) << value;
  return text.str();
}

std::string all_notes(const CaseResult& result) {
  std::string notes;
  const auto append = [&notes](const std::string& whose, const std::string& note) {
    if (!note.empty()) notes += (notes.empty() ? "" : "; ") + whose + ": " + note;
  };
  append("myblas", result.myblas.note);
  append("rival", result.rival.note);
  append("cublaslt", result.cublaslt.note);
  return notes;
}

nlohmann::json as_json(const Measured& x, double tflops) {
  return {{"us", x.us},           {"tflops", tflops},   {"error", x.error},
          {"host_us", x.host_us}, {"kernel", x.kernel}, {"note", x.note}};
}

}  // namespace

CsvFile::CsvFile(const std::string& path, const RunHeader& header) {
  if (path.empty()) return;
  file_ = open_output(path);
  write_header(file_, header);
  file_ << "case,group,op,trans,m,n,k,batch,us_cublas,us_myblas,ratio,tflops_cublas,tflops_myblas,"
           "err_cublas,err_myblas,host_us_cublas,host_us_myblas,us_cublaslt,ratio_cublaslt,"
           "kernel,intensity,note"
        << std::endl;
}

void CsvFile::add(const CaseResult& r) {
  if (!file_.is_open()) return;
  const Case& c = r.one;
  file_ << quoted(c.name) << ',' << quoted(group_of(c)) << ',' << c.op.name << ',' << c.trans_a
        << c.trans_b << ',' << c.m << ',' << c.n << ',' << c.k << ',' << c.batch;
  for (const double value :
       {r.rival.us, r.myblas.us, r.ratio(), r.tflops(r.rival), r.tflops(r.myblas), r.rival.error,
        r.myblas.error, r.rival.host_us, r.myblas.host_us, r.cublaslt.us, r.ratio_cublaslt()}) {
    file_ << ',' << number(value);
  }
  // Flushed row by row: a run that is cut short leaves what it measured.
  file_ << ',' << quoted(r.myblas.kernel) << ',' << number(work_flop(c) / least_bytes(c)) << ','
        << quoted(all_notes(r)) << std::endl;
}

void write_ceilings_csv(const std::string& path, const RunHeader& header,
                        const std::vector<Ceiling>& ceilings) {
  std::ofstream file = open_output(path);
  write_header(file, header);
  file << "instruction,types,value,unit\n";
  for (const Ceiling& ceiling : ceilings) {
    file << quoted(ceiling.name) << ',' << ceiling.types << ',' << number(ceiling.value) << ','
         << ceiling.unit << '\n';
  }
}

void write_json(const std::string& path, const RunHeader& header,
                const std::vector<CaseResult>& results, const std::vector<Ceiling>& ceilings,
                const std::vector<HostCosts>& costs) {
  nlohmann::ordered_json root;
  for (const auto& [key, value] : header) root["header"][key] = value;
  root["geomean_ratio"] = geometric_mean_ratio(results);
  root["cases"] = nlohmann::json::array();
  for (const CaseResult& r : results) {
    const Case& c = r.one;
    root["cases"].push_back({{"case", c.name},
                             {"group", group_of(c)},
                             {"op", c.op.name},
                             {"trans", std::string{c.trans_a, c.trans_b}},
                             {"m", c.m},
                             {"n", c.n},
                             {"k", c.k},
                             {"batch", c.batch},
                             {"pads", {c.lda_pad, c.ldb_pad, c.ldc_pad}},
                             {"offset", c.offset},
                             {"flop", work_flop(c)},
                             {"least_bytes", least_bytes(c)},
                             {"ratio", r.ratio()},
                             {"rival", as_json(r.rival, r.tflops(r.rival))},
                             {"cublaslt", as_json(r.cublaslt, r.tflops(r.cublaslt))},
                             {"myblas", as_json(r.myblas, r.tflops(r.myblas))}});
  }
  root["ceilings"] = nlohmann::json::array();
  for (const Ceiling& ceiling : ceilings) {
    root["ceilings"].push_back({{"instruction", ceiling.name},
                                {"types", ceiling.types},
                                {"value", ceiling.value},
                                {"unit", ceiling.unit}});
  }
  root["host_costs"] = nlohmann::json::array();
  for (const HostCosts& cost : costs) {
    root["host_costs"].push_back({{"library", cost.library},
                                  {"set_stream_ns", cost.set_stream_ns},
                                  {"set_math_mode_ns", cost.set_math_mode_ns},
                                  {"set_workspace_ns", cost.set_workspace_ns},
                                  {"gemm_us", cost.gemm_us}});
  }
  open_output(path) << root.dump(2) << '\n';
}

}  // namespace bench
