/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c as a library, and this program that only links with it. */
extern int probe_main(int argc, char** argv);

int main(int argc, char** argv) { return probe_main(argc, argv); }
