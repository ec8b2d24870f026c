package main

import (
	"encoding/json"

	"github.com/alecthomas/kong"

	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/screen"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/settings"
	"github.com/turnwatch/turnwatch/cmd/turnwatch/internal/shortid"
)

// BeforeResolve reads the configuration file, whose values then fill in what neither the command line nor the
// environment says.
func (c *cli) BeforeResolve(ctx *kong.Context) error {
	path := c.globals.Config // from the environment
	for _, p := range ctx.Path {
		if p.Flag != nil && p.Flag.Name == "config" {
			path, _ = ctx.FlagValue(p.Flag).(string)
		}
	}
	file, err := settings.Read(path, shortid.Distance)
	if err != nil {
		return err
	}
	if err := file.Validate(ctx.Model); err != nil { // before kong takes values: it would not say where they come from
		return err
	}
	ctx.AddResolver(file)
	ctx.Bind(file)
	return nil
}

type configCmd struct {
	format
	Path    bool `help:"Print only where the configuration file is." xor:"what"`
	Example bool `help:"Print a file with all settings, commented out, to begin with." xor:"what"`
}

// Help is the command's longer help.
func (configCmd) Help() string {
	return `The command line goes before the environment, that before the file, and that before the default. The file is TOML; its
names are those of the flags. A name that is no setting is an error.

  turnwatch config                                     every setting, its value, and where that comes from
  mkdir -p "$(dirname "$(turnwatch config --path)")"   once, before there is a file
  turnwatch config --example > "$(turnwatch config --path)"
  echo 'port = 4180' >> "$(turnwatch config --path)"`
}

// Run shows the settings.
func (c *configCmd) Run(ctx *kong.Context, file *settings.File, s *screen.Screen) error {
	all := settings.Values(ctx, file)
	switch {
	case c.JSON:
		body, err := json.Marshal(map[string]any{"path": file.Path, "exists": file.Exists, "settings": all})
		if err != nil {
			return err
		}
		return printJSON(s, body)
	case c.Path:
		s.Println(file.Path)
		return nil
	case c.Example:
		s.Printf("%s", settings.Example(settings.All(ctx.Model)))
		return nil
	}
	state := "is read"
	if !file.Exists {
		state = "does not exist: turnwatch config --example prints one to begin with"
	}
	s.Printf("%s %s\n\n", screen.Line(file.Path), s.In(screen.Dim, state))
	t := screen.Table{Columns: []screen.Column{{Head: "SETTING"}, {Head: "VALUE"}, {Head: "FROM"}, {Head: "VARIABLE", Drop: 1}, {Head: "SETS"}}}
	for _, v := range all {
		style := screen.Plain
		if v.From == settings.FromDefault {
			style = screen.Dim
		}
		t.Rows = append(t.Rows, []screen.Cell{
			{Text: v.Name, Style: screen.Name}, {Text: screen.Line(v.Value), Style: style}, {Text: string(v.From), Style: style},
			{Text: v.Env, Style: screen.Dim}, {Text: v.Doc},
		})
	}
	s.Table(t)
	return nil
}
