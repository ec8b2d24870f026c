package ui_test

import (
	"io/fs"
	"regexp"
	"testing"

	"github.com/turnwatch/turnwatch/ui"
)

// TestPageIsWhole fails when index.html names a file that is not in dist, as after half a build.
func TestPageIsWhole(t *testing.T) {
	index, err := fs.ReadFile(ui.FS(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?i)<!doctype html>`).Match(index) {
		t.Errorf("index.html is no page: %.60s", index)
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="/(assets/[^"]+)"`).FindAllSubmatch(index, -1) {
		if _, err := fs.Stat(ui.FS(), string(m[1])); err != nil {
			t.Errorf("index.html names %s: %v", m[1], err)
		}
	}
}

// TestPageAsksNobodyElse fails when index.html loads something from another host.
func TestPageAsksNobodyElse(t *testing.T) {
	index, err := fs.ReadFile(ui.FS(), "index.html")
	if err != nil {
		t.Fatal(err)
	}
	if m := regexp.MustCompile(`(?:src|href)="(?:https?:)?//[^"]*"`).Find(index); m != nil {
		t.Errorf("index.html loads %s", m)
	}
}
