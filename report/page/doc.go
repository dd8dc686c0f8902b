// Package page writes a report as one HTML file that needs nothing else: no network, no server, no other file.
//
// A [Page] has figures to see first, notes, sections of facts, tables and pictures, a table of all records that can be
// searched and sorted, and [Tracks], the contributions of letters or words to the decisions on some of them. It is made
// of plain values: what they mean is the caller's business, as package report has it for models.
//
// # Safety
//
// Names and texts of records may be anyone's. They are escaped by html/template, isolated from the direction of the
// text around them, and cut at [MaxText] characters; what scripts read is JSON in which no “<” is left. A content
// security policy admits the style and the script of this package, by their hashes, and nothing else: whatever
// slipped through could not run, nor send anything anywhere. Pictures are drawn by package figure, which escapes texts
// too.
//
// # Reading
//
// Without scripts everything can be read but the table of records and the tracks. All controls are those of HTML, so
// that the keyboard works; / goes to the search. Colours follow the system's choice of light or dark, or the switch at
// the top; none of them means anything that is not also said in words, by position or by shape. Printing shows what is
// on the screen, without the controls, on white.
//
// # Cost
//
// [Page.Write] takes time linear in what is written, and holds the JSON and the pictures once more in memory. A record
// takes about 60 bytes and its texts; a position of a track about five bytes, its contribution being rounded to a
// thousandth of the greatest one of the record. The same page gives the same bytes.
package page
