// SPDX-License-Identifier: BSD-3-Clause
// Tests archives and compressed files, as collections of matrices and SciPy write them.
#include <archive.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include "frond/error.hpp"
#include "matrices/files/matrix_file.hpp"
#include "matrices/files/members.hpp"
#include "matrices/files/packed.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/matrices/packed_files.hpp"
#include "tests/support/matrices/read_text.hpp"
#include "tests/support/programs/scratch_folder.hpp"

namespace frond::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string kMatrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2.5\n2 2 4\n";
const std::string kSide = "%%MatrixMarket matrix array real general\n2 1\n5\n8\n";

constexpr int kFilters[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_ZSTD};

TEST(Packed, files_of_every_kind_are_read) {
  for (const int filter : kFilters) {
    EXPECT_THAT(read_real(packed({{"a", kMatrix}}, 0, filter)).values, ElementsAre(2.5, 4)) << filter;
    EXPECT_THAT(read_real(tar({{"A/", ""}, {"A/A.mtx", kMatrix}}, filter)).values, ElementsAre(2.5, 4)) << filter;
  }
  EXPECT_THAT(read_real(zip({{"A/", ""}, {"A/A.mtx", kMatrix}})).values, ElementsAre(2.5, 4));
  EXPECT_THAT(std::get<DenseMatrix<double>>(read_dense_from_memory(tar({{"b.mtx", kSide}}), "f")).values, ElementsAre(5, 8));
}

TEST(Packed, files_that_are_cut_say_so_wherever_that_is) {
  for (const int filter : kFilters) {
    const std::string whole = packed({{"a", kMatrix}}, 0, filter);
    for (std::size_t length = 7; filter != ARCHIVE_FILTER_NONE && length < whole.size(); ++length) {
      EXPECT_THROW(static_cast<void>(read_real(whole.substr(0, length))), InputError) << filter << ' ' << length;
    }
  }
  const std::string whole = zip({{"a.mtx", kMatrix}});
  for (std::size_t length = 1; length < kMatrix.size(); ++length) {
    EXPECT_THROW(static_cast<void>(read_real(whole.substr(0, length))), InputError) << length;
  }
}

TEST(Packed, damaged_files_say_so) {
  for (const int filter : {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2}) {
    std::string content = packed({{"a", kMatrix}}, 0, filter);
    content[content.size() / 2] ^= 0x11;
    EXPECT_THROW(static_cast<void>(read_real(content)), InputError) << filter;
  }
}

// Returns a matrix of order 1 with `num_sides` right-hand sides, which the reader skips.
std::string with_right_sides(Count num_sides) {
  std::string text = fmt::format(
      "with right-hand sides                                                   RHS\n"
      "{:14}{:14}{:14}{:14}{:14}\n"
      "RSA                        1             1             1             0\n"
      "(I4)            (I4)            (E10.3)             (E10.3)\n"
      "F             {:14}             0\n"
      "   1\n   2\n   1\n      4.25\n",
      4 + num_sides, 2, 1, 1, num_sides, num_sides);
  for (Count side = 0; side < num_sides; ++side) {
    text += "       1.0\n";
  }
  return text;
}

// libarchive reports a wrong checksum as a warning, and withholds the last data.
TEST(Packed, damaged_members_of_archives_say_so_wherever_that_is) {
  const std::string small = zip({{"a.mtx", kMatrix}});
  const std::string packed_matrix = small.substr(0, small.find("PK", 2));  // up to the list of members
  for (std::size_t place = packed_matrix.rfind("a.mtx") + 5; place < packed_matrix.size(); ++place) {
    std::string damaged = small;
    damaged[place] ^= 0x11;
    try {
      EXPECT_THAT(read_real(damaged).values, ElementsAre(2.5, 4)) << place;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cut or damaged")) << place;
    }
  }
  for (const Count num_sides : {10, 30000}) {  // less and more than is read at once
    std::string damaged = stored_zip({{"a.rsa", with_right_sides(num_sides)}});
    EXPECT_THAT(read_real(damaged).values, ElementsAre(4.25));
    damaged[damaged.rfind("1.0\n")] = '2';
    testing::expect_error<InputError>("cut or damaged", [&] { (void)read_real(damaged); });
  }
}

TEST(Packed, right_sides_of_the_collection_come_along) {
  const testing::ScratchFolder folder;
  const std::string path = folder.path("A.tar.gz");
  const std::string content = tar({{"A/A_b.mtx", kSide}, {"A/A.mtx", kMatrix}, {"A/A_coord.mtx", kSide}}, ARCHIVE_FILTER_GZIP);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_EQ(std::fwrite(content.data(), 1, content.size(), file), content.size());
  std::fclose(file);
  const MatrixFile read = read_matrix_file(path);
  EXPECT_THAT(std::get<SparseMatrix<double>>(read.matrix).values, ElementsAre(2.5, 4));
  ASSERT_TRUE(read.right_sides.has_value());
  EXPECT_THAT(std::get<DenseMatrix<double>>(*read.right_sides).values, ElementsAre(5, 8));
  EXPECT_EQ(read.right_sides_name, path + ": A/A_b.mtx");
}

TEST(Members, are_told_apart_by_their_names) {
  const auto matrix_of = [](const std::vector<std::string>& names) { return find_system(names, "/x/A.tar.gz").matrix; };
  EXPECT_EQ(matrix_of({"whatever"}), "whatever");
  EXPECT_EQ(matrix_of({"README.txt", "q/M.mtx"}), "q/M.mtx");
  EXPECT_EQ(matrix_of({"B/B.mtx", "B/A.mtx"}), "B/A.mtx");
  EXPECT_EQ(matrix_of({"B/B_b.mtx", "B/C.mtx", "B/B.mtx"}), "B/B.mtx");
  EXPECT_EQ(matrix_of({"q/M_b.mtx", "q/M.mtx", "q/M_x.mtx"}), "q/M.mtx");
  EXPECT_EQ(matrix_of({"q/M.rua", "._M.mtx"}), "q/M.rua");
  EXPECT_EQ(find_system({"q/M_b.mtx", "q/M.mtx"}, "f").right_sides, "q/M_b.mtx");
  EXPECT_EQ(find_system({"q/M_c.mtx", "q/M.mtx"}, "f").right_sides, "");
  testing::expect_error<InputError>("q/M.mtx, q/N.mtx", [&] { (void)matrix_of({"q/M.mtx", "q/N.mtx"}); });
  EXPECT_THAT([&] { static_cast<void>(matrix_of({})); }, ThrowsMessage<InputError>("/x/A.tar.gz: the archive has no files"));
}

TEST(Members, may_be_matrices_by_their_names) {
  for (const char* name : {"x/A.mtx", "A.MTX", "A.rua", "A.rb.gz", "A.mtx.xz", "A.mtx.bz2", "A.mtx.zst", "A.tar.gz", "A.tgz",
                           "A.zip", "A.npz", "b.c/A.cha"}) {
    EXPECT_TRUE(has_matrix_name(name)) << name;
  }
  for (const char* name : {"A", "A.txt", "A.npy", ".mtx", "._A.mtx", "A.mtx.part", "A.gz", "mtx", "A.xua", "A.cxx"}) {
    EXPECT_FALSE(has_matrix_name(name)) << name;
  }
  EXPECT_EQ(without_packing("A.mtx.xz"), "A.mtx");
  EXPECT_EQ(without_packing("A.mtx"), "A.mtx");
}

/// Returns an array in NumPy's format.
template <class T>
std::string npy(const std::string& type, const std::string& shape, const std::vector<T>& elements, bool has_fortran_order = false) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, has_fortran_order ? "True" : "False", shape);
  header.resize((header.size() + 10) / 64 * 64 + 53, ' ');
  header += '\n';
  std::string content = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size() % 256) +
                        static_cast<char>(header.size() / 256) + header;
  content.append(reinterpret_cast<const char*>(elements.data()), elements.size() * sizeof(T));
  return content;
}

std::string text_array(const std::string& text) {
  return npy<char>(fmt::format("|S{}", text.size()), "()", {text.begin(), text.end()});
}

const std::string kShape23 = npy<std::int64_t>("<i8", "(2,)", {2, 3});

//   [ 1 . 2 ]
//   [ . 3 4 ]
void expect_example(const std::string& content) {
  const SparseMatrix<double> matrix = read_real(content);
  EXPECT_EQ(matrix.num_rows, 2);
  EXPECT_EQ(matrix.num_cols, 3);
  EXPECT_THAT(matrix.column_offsets, ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(matrix.row_indices, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(matrix.values, ElementsAre(1, 3, 2, 4));
}

TEST(Npz, holds_matrices_in_all_formats_of_scipy) {
  expect_example(zip({{"indices.npy", npy<std::int32_t>("<i4", "(4,)", {0, 2, 1, 2})},
                      {"indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 2, 4})},
                      {"format.npy", text_array("csr")},
                      {"shape.npy", kShape23},
                      {"data.npy", npy<double>("<f8", "(4,)", {1, 2, 3, 4})}}));
  expect_example(zip({{"indices.npy", npy<std::int64_t>("<i8", "(4,)", {0, 1, 0, 1})},
                      {"indptr.npy", npy<std::int64_t>("<i8", "(4,)", {0, 1, 2, 4})},
                      {"format.npy", npy<char32_t>("<U3", "()", {U'c', U's', U'c'})},
                      {"shape.npy", kShape23},
                      {"data.npy", npy<float>("<f4", "(4,)", {1, 3, 2, 4})}}));
  expect_example(zip({{"row.npy", npy<std::int32_t>("<i4", "(5,)", {1, 0, 0, 1, 0})},
                      {"col.npy", npy<std::int32_t>("<i4", "(5,)", {2, 2, 0, 1, 2})},
                      {"format.npy", text_array("coo")},
                      {"shape.npy", kShape23},
                      {"data.npy", npy<std::int16_t>("<i2", "(5,)", {4, 1, 1, 3, 1})}}));
  expect_example(zip({{"offsets.npy", npy<std::int32_t>("<i4", "(3,)", {0, 2, 1})},
                      {"format.npy", text_array("dia")},
                      {"shape.npy", kShape23},
                      {"data.npy", npy<double>("<f8", "(3, 3)", {1, 3, 9, 9, 9, 2, 9, 0, 4})}}));
  const SparseMatrix<double> blocks = read_real(zip({{"indices.npy", npy<std::int32_t>("<i4", "(2,)", {1, 0})},
                                                     {"indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 1, 2})},
                                                     {"format.npy", text_array("bsr")},
                                                     {"shape.npy", npy<std::int64_t>("<i8", "(2,)", {2, 4})},
                                                     {"data.npy", npy<double>("<f8", "(2, 1, 2)", {1, 2, 3, 4})}}));
  EXPECT_THAT(blocks.row_indices, ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(blocks.values, ElementsAre(3, 4, 1, 2));
}

TEST(Npz, may_be_complex) {
  const AnyMatrix any = read_matrix_from_memory(zip({{"row.npy", npy<std::int32_t>("<i4", "(1,)", {0})},
                                                     {"col.npy", npy<std::int32_t>("<i4", "(1,)", {0})},
                                                     {"format.npy", text_array("coo")},
                                                     {"shape.npy", npy<std::int64_t>("<i8", "(2,)", {1, 1})},
                                                     {"data.npy", npy<double>("<c16", "(1,)", {1, -2})}}),
                                                "f");
  EXPECT_THAT(std::get<SparseMatrix<std::complex<double>>>(any).values, ElementsAre(std::complex<double>(1, -2)));
}

TEST(Npz, that_is_damaged_says_what_is_wrong) {
  const auto refusal = [](const std::string& name, const std::string& array) -> std::string {
    Files files = {{"indices.npy", npy<std::int32_t>("<i4", "(4,)", {0, 2, 1, 2})},
                   {"indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 2, 4})},
                   {"format.npy", text_array("csr")},
                   {"shape.npy", kShape23},
                   {"data.npy", npy<double>("<f8", "(4,)", {1, 2, 3, 4})}};
    for (auto& [member, text] : files) {
      text = member == name ? array : text;
    }
    if (array.empty()) {
      std::erase_if(files, [&name](const auto& one) { return one.first == name; });
    }
    return testing::complaint_of<InputError>([&] { static_cast<void>(read_matrix_from_memory(zip(files), "f")); });
  };
  EXPECT_THAT(refusal("indptr.npy", ""), HasSubstr("no array 'indptr'"));
  EXPECT_THAT(refusal("format.npy", text_array("lil")), HasSubstr("'lil'"));
  EXPECT_THAT(refusal("indices.npy", npy<std::int32_t>("<i4", "(4,)", {0, 3, 1, 2})), HasSubstr("(0, 3)"));
  EXPECT_THAT(refusal("indices.npy", npy<std::int32_t>("<i4", "(4,)", {0, -1, 1, 2})), HasSubstr("(0, -1)"));
  EXPECT_THAT(refusal("indices.npy", npy<double>("<f8", "(4,)", {0, 1, 1, 2})), HasSubstr("no integers"));
  EXPECT_THAT(refusal("indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 5, 4})), HasSubstr("no offsets"));
  EXPECT_THAT(refusal("indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 2, 5})), HasSubstr("no offsets"));
  EXPECT_THAT(refusal("data.npy", npy<double>("<f8", "(9,)", {1, 2, 3, 4})), HasSubstr("promises 9 elements"));
  EXPECT_THAT(refusal("data.npy", npy<double>("<f8", "(4,)", {1, 2, 3, std::nan("")})), HasSubstr("element 3 is nan"));
  EXPECT_THAT(refusal("data.npy", npy<double>("<f2", "(4,)", {1, 2, 3, 4})), HasSubstr("astype"));
  EXPECT_THAT(refusal("data.npy", npy<double>("|O", "(4,)", {1, 2, 3, 4})), HasSubstr("astype"));
  EXPECT_THAT(refusal("data.npy", npy<double>("<f8", "(4", {1, 2, 3, 4})), HasSubstr("shape"));
  EXPECT_THAT(refusal("data.npy", npy<double>("<f8", "(99999999999, 99999999999)", {1})), HasSubstr("shape"));
  EXPECT_THAT(refusal("data.npy", "nothing"), HasSubstr("no array of NumPy"));
  EXPECT_THAT(refusal("shape.npy", npy<std::int64_t>("<i8", "(2,)", {-2, 3})), HasSubstr("dimension -2"));
}

TEST(Npz, that_is_damaged_behind_the_last_number_needed_says_so) {
  for (const std::size_t num_unused : {std::size_t{10}, std::size_t{100000}}) {
    std::vector<std::int32_t> indices(4 + num_unused, 7);
    std::copy_n(std::begin({0, 2, 1, 2}), 4, indices.begin());
    std::string content = stored_zip({{"indices.npy", npy<std::int32_t>("<i4", fmt::format("({},)", indices.size()), indices)},
                                      {"indptr.npy", npy<std::int32_t>("<i4", "(3,)", {0, 2, 4})},
                                      {"format.npy", text_array("csr")},
                                      {"shape.npy", kShape23},
                                      {"data.npy", npy<double>("<f8", "(4,)", {1, 2, 3, 4})}});
    expect_example(content);
    content[content.rfind(std::string("\x07\0\0\0", 4))] = 8;
    testing::expect_error<InputError>("cut or damaged", [&] { (void)read_real(content); });
  }
}

TEST(Npy, is_a_dense_matrix_in_either_order) {
  const auto values = [](const std::string& content) {
    return std::get<DenseMatrix<double>>(read_dense_from_memory(content, "f")).values;
  };
  EXPECT_THAT(values(npy<double>("<f8", "(2, 3)", {1, 2, 3, 4, 5, 6})), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(values(npy<double>("<f8", "(2, 3)", {1, 2, 3, 4, 5, 6}, true)), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(values(npy<std::uint8_t>("|u1", "(3,)", {1, 2, 255})), ElementsAre(1, 2, 255));
  EXPECT_THAT(values(npy<std::uint8_t>(">i4", "(1,)", {255, 255, 255, 254})), ElementsAre(-2));
  EXPECT_THROW(static_cast<void>(values(npy<double>("<f8", "(1, 1, 1)", {1}))), InputError);
  EXPECT_THROW(static_cast<void>(values(npy<double>("<f8", "()", {1}))), InputError);
}

}  // namespace
}  // namespace frond::testing
