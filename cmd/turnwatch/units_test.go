package main_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUnits has systemd look at the units, with a program that exists in place of the one that is to be installed.
func TestUnits(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for file, unit := range map[string]string{"turnwatch.service": "turnwatch.service", "turnwatch@.service": "turnwatch@dev.service"} {
		text, err := os.ReadFile(filepath.Join(root, "deploy/systemd", file))
		if err != nil {
			t.Fatal(err)
		}
		text = regexp.MustCompile(`ExecStart=\S+`).ReplaceAll(text, []byte("ExecStart="+self))
		dir := t.TempDir()
		path := filepath.Join(dir, unit)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"verify", path}
		if !strings.Contains(unit, "@") {
			args = append([]string{"--user"}, args...)
		}
		cmd := exec.CommandContext(t.Context(), "systemd-analyze", args...)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir)
		if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte(unit)) { // what it ignores, it only mentions
			t.Errorf("%s: %v: %s", file, err, out)
		}
	}
}

func TestPropertyListIsXML(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "deploy/launchd/*.plist"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
