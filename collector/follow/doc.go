// Package follow reads streams that grow: complete lines from a checkpoint (Lines), small documents when they
// change (Document), and it tells when a stream may have grown (Watcher, Tail). Roots and Head help sources to find them.
//
// It keeps the two apart on purpose. What is read depends on the checkpoint alone, so a wake-up that comes too often, too
// early or from the slow sweep does no harm, and one that gets lost only delays.
//
// It refuses to know what a line means, to hold a file open between two reads, and to wait: reading ends at the
// present end of a file.
package follow
