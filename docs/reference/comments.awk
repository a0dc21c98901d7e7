# SPDX-License-Identifier: BSD-3-Clause
# Turns the comments of Frond's public headers into those that Doxygen expects, line by line, so that its warnings name the right
# ones: doxygen runs `awk -f docs/reference/comments.awk HEADER`.
#
#   The head of a header of C++ becomes the text of its group, which holds all that it declares; in frond.h, the group c, so does
#   what stands below "---- Title ----". The group of frond_mpi.h is c_mpi. Comments of C become those of Doxygen, and `//`
#   comments stay hidden.
#   Indented lines become code. "<" and ">" in texts are no HTML; *name is a parameter, FROND_NAME a link.
#   A comment counts for all declarations that follow it without an empty line; `///<` behind "struct Name {" is that of Name.
#   Announcements of classes that are declared elsewhere are left out.
#   What has the comment "for Frond itself", on one line, is left out. Moves, deleted copies and default comparisons have a text.

FNR == 1 {
  is_c = FILENAME ~ /\.h$/
  stem = FILENAME
  sub(/.*\//, "", stem)
  sub(/\.hpp$/, "", stem)
  in_head = !is_c
}

# ---- Texts

# What a text is for Doxygen, outside of backticks.
function as_text(text, parts, n, i, result) {
  n = split(text, parts, "`")
  for (i = 1; i <= n; i++) {
    if (i % 2) {
      gsub(/</, "\\&lt;", parts[i])
      gsub(/>/, "\\&gt;", parts[i])
      if (is_c) {
        gsub(/FROND_[A-Z_]+/, "#&", parts[i])
        gsub(/"#FROND/, "\"FROND", parts[i])
        while (match(parts[i], /(^|[ (])\*[a-z_0-9]+/)) {
          start = RSTART + index(substr(parts[i], RSTART), "*") - 1
          parts[i] = substr(parts[i], 1, start - 1) "`@" substr(parts[i], start + 1, RLENGTH - start + RSTART - 1) "`" \
                     substr(parts[i], RSTART + RLENGTH)
        }
        gsub(/`@/, "`*", parts[i])
      }
    }
    result = result (i > 1 ? "`" : "") parts[i]
  }
  return result
}

# A block of comment lines: before[i] stands before text[i], after[i] behind it.
function take(prefix, content, suffix) {
  num_lines++
  before[num_lines] = prefix
  text[num_lines] = content
  after[num_lines] = suffix
}

function is_code(i) { return text[i] ~ /^   / }
function is_empty(i) { return text[i] ~ /^ *$/ }

# Prints the block, code within @code and @endcode, and keeps in `words` what it says, without the code.
function put_block(i, first, last, j, language) {
  words = ""
  if (num_apart) take(prefix_apart, "", "")
  for (i = 1; i <= num_apart; i++) take(prefix_apart, text_apart[i], "")
  num_apart = 0
  for (i = 1; i <= num_lines; i++) {
    if (!is_code(i)) {
      text[i] = as_text(text[i])
      words = words (i > 1 ? text[i] : substr(text[i], 2))
    }
  }
  for (first = 1; first <= num_lines; first = last + 1) {
    last = first
    if (!is_code(first)) continue
    for (j = first; j <= num_lines && (is_code(j) || is_empty(j)); j++) {
      if (is_code(j)) last = j
    }
    language = is_c ? ".c" : ".cpp"
    for (j = first; j <= last && text[j] !~ /frond(::|_create)/; j++) {
    }
    if (j > last) language = ".unparsed"
    if (first > 1) {
      text[first - 1] = text[first - 1] " @code{" language "}"
    }
    if (last < num_lines && is_empty(last + 1)) {
      text[last + 1] = " @endcode"
    } else if (last < num_lines) {
      text[last + 1] = " @endcode" text[last + 1]
    } else {
      text[last] = text[last] " @endcode"
    }
  }
  sub(/^ +/, "", words)
  for (i = 1; i <= num_lines; i++) print before[i] text[i] after[i]
  num_lines = 0
  was_comment = 1
}

# ---- Declarations

# What is called, in the lines of a declaration so far: its name before the first parenthesis, or "".
function name_of(lines) {
  sub(/^ *template <[^>]*> */, "", lines)
  if (lines ~ /^ *(std::function|using|class|struct|enum|friend|public|private|namespace|extern|#|[^(]*~)/) return ""
  if (!match(lines, /[A-Za-z_0-9]* ?\(/)) return ""
  return substr(lines, RSTART, RLENGTH - 1)
}

function put_held(i) {
  for (i = 1; i <= num_held; i++) print held[i]
  num_held = 0
}

# A line that is not of a comment alone, and what it is of.
function put_code(line, name, at) {
  if (body_end != "") {
    print line
    if (index(line, body_end) == 1) body_end = ""
    return
  }
  if (line ~ /^ *$/) {
    put_held()
    print line
    paragraph_words = paragraph_name = declaration = ""
    was_comment = 0
    return
  }
  if (declaration == "") {
    is_documented = was_comment || line ~ /\/\/\/<|\/\*\*</
    if (is_documented) {
      paragraph_words = was_comment ? words : ""
      paragraph_name = ""
    }
    is_given = 0
    match(line, /^ */)
    indent = substr(line, 1, RLENGTH)
  }
  was_comment = 0
  declaration = declaration line
  num_held++
  held[num_held] = line
  name = name_of(declaration)
  if (line ~ /^(class|struct) [A-Za-z]*;$/) {
    for (at = 1; at <= num_held; at++) held[at] = ""
  }
  if (line ~ /^ *template <[^;{(]*$/) return
  if (!is_documented && !is_given && paragraph_name != "" && name != "" && (name == paragraph_name || paragraph_words != "")) {
    is_given = 1
    at = name == paragraph_name ? "The same for other arguments." : paragraph_words
    held[1] = indent "/** " at " */ " substr(held[1], length(indent) + 1)
  }
  if (is_documented && paragraph_name == "" && name != "") paragraph_name = name
  put_held()
  at = line
  sub(/ *(\/\/|\/\*).*/, "", at)
  if (at ~ /[;}]$/ || at ~ /^#/ || (at ~ /:$/ && at ~ /^ *(public|private)/) || (at ~ /\{$/ && name == "")) declaration = ""
  if (at ~ /\{$/ && name != "") {
    body_end = indent "}"
    declaration = ""
  }
}

# ---- Lines of C++

in_head {
  if (FNR == 1) {
    take("///", " @defgroup cpp_" stem " frond/" stem ".hpp", "")
  } else if (/^\/\//) {
    take("///", substr($0, 3), "")
  } else {
    take("///", " @ingroup cpp", "")
    put_block()
    was_comment = 0
    in_head = 0
  }
  next
}

!is_c && /^ *\/\/\/([^<\/]|$)/ {
  match($0, /^ *\/\/\//)
  take(substr($0, 1, RLENGTH), substr($0, RLENGTH + 1), "")
  next
}

# What an empty line follows is said of several declarations: it goes to the end of the next comment.
!is_c && num_lines && /^ *$/ {
  for (num_apart = 0; num_apart < num_lines; num_apart++) text_apart[num_apart + 1] = text[num_apart + 1]
  prefix_apart = before[1]
  num_lines = 0
  next
}

!is_c && num_lines { put_block() }

!is_c {
  gsub(/\[\[nodiscard\]\] /, "")
  gsub(/\[\[gnu::[^]]*\]\]/, "")
}

!is_c && /\/\/\/< for Frond itself/ {
  print ""
  next
}

!is_c && /^ *\/\// && !/^ *\/\/\/</ {
  print ""
  next
}

!is_c && /^namespace frond \{$/ {
  print "namespace frond { /** @addtogroup cpp_" stem
  getline
  print " * @{ */"
  next
}
!is_c && /^\}  \/\/ namespace frond$/ {
  put_held()
  print "/** @} */ }"
  next
}

!is_c {
  sub(/\/\/ NOLINT\([^)]*\): /, "///< ")
  if (/&& other\) noexcept;$/) $0 = $0 "  ///< moves"
  if (/= delete;( *\/\/.*)?$/) sub(/= delete;.*/, "= delete;  ///< there is none")
  if (/= default;$/ && /operator==/) $0 = $0 "  ///< whether all members are equal"
  at = index($0, "///<")
  if (at > 0) $0 = substr($0, 1, at + 3) as_text(substr($0, at + 4))
  if (match($0, /^ *(class|struct|enum class) .*\{ *\/\/\/<.*/)) {
    at = index($0, "///<")
    match($0, /^ */)
    $0 = substr($0, 1, RLENGTH) "/** " substr($0, at + 5) " */ " substr($0, RLENGTH + 1, at - RLENGTH - 1)
  }
  put_code($0)
  next
}

# ---- Lines of frond.h and frond_mpi.h

FNR == 1 {
  c_group = stem == "frond.h" ? "c" : "c_mpi"
  take("/**", " @defgroup " c_group (c_group == "c" ? " C: " : " C over MPI: ") stem, "")
  in_comment = 1
  next
}

in_comment || /^\/\*/ {
  if (!in_comment && match($0, /^\/\* ---- /)) {
    title = substr($0, RLENGTH + 1)
    sub(/ -*$/, "", title)
    id = tolower(title)
    gsub(/ /, "_", id)
    print (in_section ? "/** @} */ " : "") "/** @defgroup c_" id " " title
    getline
    print " * @details `#include <frond.h>` @{ */"
    in_section = 1
    next
  }
  content = $0
  suffix = ""
  if (sub(/ *\*\/$/, "", content)) suffix = " */"
  prefix = in_comment && content !~ /^ ?$/ ? " *" : in_comment ? "" : "/**"
  sub(/^ ?\/?\*/, "", content)
  take(prefix, content, suffix)
  in_comment = suffix == ""
  if (!in_comment) put_block()
  next
}

/^#include <(stdint|frond).h>$/ {
  print "/** @addtogroup " c_group
  getline
  print " * @{ */"
  was_comment = 0
  next
}

/^extern "C" \{/ && c_group == "c_mpi" { in_section = 1 }

/^#ifdef __cplusplus/ && in_section {
  print (c_group == "c" ? "/** @} */ " : "") "/** @} */\n\n"  # for the two lines that follow: } and #endif
  getline
  getline
  in_section = 0
  next
}

/^#/ {
  put_held()
  print
  was_comment = 0
  next
}

{
  if (match($0, /\/\* .* \*\/$/)) $0 = substr($0, 1, RSTART - 1) "/**<" as_text(substr($0, RSTART + 2, RLENGTH - 4)) "*/"
  sub(/^typedef enum/, "enum")
  if (/^\} frond_[a-z]*;$/) $0 = "};"
  sub(/\} frond_[a-z]*;$/, "};")
  put_code($0)
}

END { put_held() }
