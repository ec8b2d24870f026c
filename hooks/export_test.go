package hooks

import (
	"github.com/turnwatch/turnwatch/collector"
	"github.com/turnwatch/turnwatch/hooks/jsontext"
)

// InstallText returns a file's text with hooks in it, and what is kept to undo that.
func InstallText(name collector.Agent, src []byte) (text []byte, spans []jsontext.Span, added []string, err error) {
	picked, err := pick(name)
	if err != nil {
		return nil, nil, nil, err
	}
	d, err := picked[0].parse(src)
	if err != nil {
		return nil, nil, nil, err
	}
	a, err := d.install()
	return a.text, a.spans, a.added, err
}

// UninstallText returns a file's text without hooks.
func UninstallText(name collector.Agent, src []byte, added []string) ([]byte, error) {
	picked, err := pick(name)
	if err != nil {
		return nil, err
	}
	d, err := picked[0].parse(src)
	if err != nil {
		return nil, err
	}
	d, err = d.uninstall(added)
	return d.src, err
}
