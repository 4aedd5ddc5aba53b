/** Writes a shell's completion script from the definitions of the commands. */
import type { Command } from 'commander';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof shells)[number];

/** The words that can follow a command. `at` has a space before each word: ` config show`; it is empty for the program itself. */
interface Place {
  at: string;
  words: string[];
}

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '');
  return `${scripts[shell](places, places.map(({ at }) => at).filter(Boolean))}\n`;
}

function placesOf(command: Command, at: string): Place[] {
  const help = command.createHelp();
  const visibleCommands = help.visibleCommands(command);
  const names = visibleCommands.map((inner) => inner.name());
  const options = help.visibleOptions(command).flatMap(({ long }) => long ?? []);
  const inner = visibleCommands.filter((one) => one.name() !== 'help');
  return [{ at, words: [...names, ...options] }, ...inner.flatMap((one) => placesOf(one, `${at} ${one.name()}`))];
}

const quoted = (texts: readonly string[], separator: string) => texts.map((text) => `'${text}'`).join(separator);

const scripts: Record<Shell, (places: Place[], known: string[]) => string> = {
  bash: (places, known) => `_toolkeep() {
  local at='' word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${quoted(known, '|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${places.map(({ at, words }) => `    '${at}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _toolkeep toolkeep`,
  zsh: (places, known) => `#compdef toolkeep
_toolkeep() {
  local at='' word
  local -a found
  for word in "\${words[@]:1:CURRENT-2}"; do
    case "$at $word" in
      ${quoted(known, '|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${places.map(({ at, words }) => `    '${at}') found=(${words.join(' ')}) ;;`).join('\n')}
  esac
  compadd -- $found || _files
}
compdef _toolkeep toolkeep`,
  fish: (places, known) => `function __toolkeep_words
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${quoted(known, ' ')}
        set at "$at $word"
    end
  end
  switch "$at"
${places.map(({ at, words }) => `    case '${at}'\n      printf '%s\\n' ${words.join(' ')}`).join('\n')}
  end
end
complete -c toolkeep -a '(__toolkeep_words)'`,
  powershell: (places) => `Register-ArgumentCompleter -Native -CommandName toolkeep -ScriptBlock {
  param($word, $ast)
  $places = @{
${places.map(({ at, words }) => `    '${at}' = @(${quoted(words, ', ')})`).join('\n')}
  }
  $at = ''
  foreach ($element in $ast.CommandElements | Select-Object -Skip 1) {
    if ($places.ContainsKey("$at $element")) { $at = "$at $element" }
  }
  $places[$at] | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
};
