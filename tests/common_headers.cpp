// SPDX-License-Identifier: BSD-3-Clause
// A program that is never run: its precompiled header is that of all tests.
int main() {}
