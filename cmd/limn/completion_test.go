package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shellScripts print what the shell would offer for the line in $LINE, one a line. In zsh the
// functions of the completion system are replaced by ones that print.
var shellScripts = map[string]string{
	"bash": `source <(limn completion bash)
compopt() { :; }
read -ra COMP_WORDS <<<"$LINE"
[[ $LINE == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_limn
printf '%s\n' "${COMPREPLY[@]}"`,
	"zsh": `compdef() { : }
source <(limn completion zsh)
_describe() { print -rl -- "${(@P)2%%:*}" }
compadd() { print -rl -- "${(@P)2}" }
compset() { [[ ${words[CURRENT]} == ${~2}* ]] && PREFIX=${words[CURRENT]#${~2}} }
_files() { print -rl -- ${PREFIX}*(N) }
words=("${(@s: :)LINE}") CURRENT=${#words} PREFIX=${words[-1]}
_limn`,
	"fish": `limn completion fish | source
complete -C $LINE | string replace -r '\t.*' ''`,
}

// TestShells: each shell offers commands, flags, values and files, those after --flag= as
// well.
func TestShells(t *testing.T) {
	t.Parallel()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(bin, filepath.Join(dir, "limn")); err != nil {
		t.Skip("symbolic links cannot be made here: ", err)
	}
	write(t, filepath.Join(dir, "shop.yaml"), "name: shop\n")
	for shell, script := range shellScripts {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skip("needs the shell " + shell + ", such as Debian's package of that name")
			}
			args := map[string][]string{"bash": {"--norc"}, "zsh": {"-f"}, "fish": {"--no-config"}}[shell]
			for line, want := range map[string]string{
				"limn comp":                            "compile completion",
				"limn completion ":                     "bash fish zsh",
				"limn serve --log d":                   "debug",
				"limn serve --addr=x --st":             "--store --stored-bytes --streams --strict",
				"limn serve " + dir + "/sh":            dir + "/shop.yaml",
				"limn serve --catalogs " + dir + "/sh": dir + "/shop.yaml",
			} {
				if got := offered(t, path, append(args, "-c", script), dir, line); got != want {
					t.Errorf("%s: offered %q, want %q", line, got, want)
				}
			}
			if shell == "bash" { // it splits words at =
				return
			}
			want := map[string]string{"zsh": "", "fish": "--telemetry="}[shell] + dir + "/shop.yaml"
			if got := offered(t, path, append(args, "-c", script), dir, "limn serve --telemetry="+dir+"/sh"); got != want {
				t.Errorf("a file after =: offered %q, want %q", got, want)
			}
		})
	}
}

func offered(t *testing.T, shell string, args []string, dir, line string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell, args...)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "LINE="+line, "HOME="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Errorf("%s: %v", line, err)
	}
	list := strings.Fields(string(out))
	slices.Sort(list)
	return strings.Join(list, " ")
}
