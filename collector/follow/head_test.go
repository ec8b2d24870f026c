package follow_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/turnwatch/turnwatch/collector/follow"
)

func TestHead(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := enc.EncodeAll([]byte("first\nsecond\n"), nil)
	dir := t.TempDir()
	for _, c := range []struct {
		name  string
		data  []byte
		limit int
		want  string
	}{
		{"plain", []byte("first\nsecond\n"), 7, ">first\ns"},
		{"short", []byte("first"), 64, ">first"},
		{"empty", nil, 64, ">"},
		{"packed.zst", packed, 7, ">first\ns"},
		{"unfinished.zst", packed[:len(packed)-6], 64, ">"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := follow.Head([]byte(">"), path, c.limit); string(got) != c.want || err != nil {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	if _, err := follow.Head(nil, filepath.Join(dir, "none"), 7); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.zst"), []byte("not compressed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := follow.Head(nil, filepath.Join(dir, "bad.zst"), 7); err == nil {
		t.Error("not compressed: no error")
	}
}
