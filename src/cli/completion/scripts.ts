/** A short script for each shell: it asks this program what to offer, and looks for files itself. */
import type { SHELLS } from '../command-line/tool-commands.ts';
import { COMPLETE } from './complete-command-line.ts';

type Shell = (typeof SHELLS)[number];

const BODIES: { readonly [shell in Shell]: string } = {
  bash: `_shotlist() {
  local cur=\${COMP_WORDS[COMP_CWORD]} offer file
  COMPREPLY=()
  while IFS=$'\\t' read -r offer _; do
    if [[ $offer != :* ]]; then COMPREPLY+=("$offer"); continue; fi
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
      [[ -d $file || $offer == :file || $offer == :pipeline && $file == *.y?(a)ml ]] && COMPREPLY+=("$file")
    done < <(compgen -f -- "\${cur#=}")
  done < <("$1" ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD-1}" "+$cur" 2>/dev/null)
}
complete -F _shotlist shotlist`,

  zsh: `_shotlist() {
  local line
  local -a offers
  for line in "\${(@f)$($words[1] ${COMPLETE} "\${(@)words[2,CURRENT-1]}" "+$PREFIX" 2>/dev/null)}"; do
    [[ $line == :* ]] && compset -P '--*='
    case $line in
      :pipeline) _files -g '*.(yaml|yml)(-.)' ;;
      :file) _files ;;
      :folder) _files -/ ;;
      ?*) offers+=("\${\${line//:/\\\\:}/$'\\t'/:}") ;;
    esac
  done
  (( $#offers )) && _describe shotlist offers
}

if [[ $funcstack[1] == _shotlist ]]; then _shotlist "$@"; else compdef _shotlist shotlist; fi`,

  fish: `function __shotlist_offers
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l option (string match -r -- '^--[^=]+=' $typed)
    set -l endings :pipeline '(/|\\.ya?ml)' :file '' :folder /
    for offer in ($words[1] ${COMPLETE} $words[2..-1] "+$typed" 2>/dev/null)
        if set -l kind (contains -i -- $offer $endings)
            set -l ending $endings[(math $kind + 1)]
            __fish_complete_path (string replace -- "$option" '' "$typed") | string match -r -- ".*$ending(?:\\t.*)?\\$" | string replace -r '^' -- "$option"
        else
            echo $offer
        end
    end
end
complete -c shotlist -f -a '(__shotlist_offers)'`,

  powershell: `Register-ArgumentCompleter -Native -CommandName shotlist -ScriptBlock {
  param($word, $ast, $cursor)
  $before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  foreach ($line in & shotlist ${COMPLETE} @before "+$word") {
    $offer, $about = $line -split "\`t", 2
    if ($offer -notlike ':*') {
      [System.Management.Automation.CompletionResult]::new($offer, $offer, 'ParameterValue', $(if ($about) { $about } else { $offer }))
      continue
    }
    Get-ChildItem -Path "$word*" -ErrorAction SilentlyContinue |
      Where-Object { $_.PSIsContainer -or $offer -eq ':file' -or ($offer -eq ':pipeline' -and $_.Name -match '\\.ya?ml$') } |
      ForEach-Object { $path = Resolve-Path -Relative $_.FullName; [System.Management.Automation.CompletionResult]::new($(if ($path -match ' ') { "'$path'" } else { $path }), $_.Name, 'ProviderItem', $_.Name) }
  }
}`,
};

const HEADS: { readonly [shell in Shell]: string } = {
  bash: '# bash',
  zsh: '#compdef shotlist\n# zsh',
  fish: '# fish',
  powershell: '# PowerShell',
};

/** For bash 4, zsh with `compinit` (a file `_shotlist` in a folder of `$fpath`), fish 3 and PowerShell 5.1, and newer. */
export const completionScript = (shell: Shell): string =>
  `${HEADS[shell]} completion for shotlist, written by: shotlist tools completion ${shell}\n${BODIES[shell]}\n`;
