/** For PowerShell 5.1 and newer: a native completer. */
import { type CompletedWord, completedCommands, firstWords, type Offer, secondWords } from './completed.ts';

export function powershellCompletion(): string {
  const commands = completedCommands();
  return `# PowerShell completion for shotlist, written by: shotlist tools completion powershell
Register-ArgumentCompleter -Native -CommandName shotlist -ScriptBlock {
  param($word, $ast, $cursor)
  $commands = [ordered]@{
${commands
  .map(
    ({ name, about, options, operands }) => `    ${inQuotes(name)} = @{
      About = ${inQuotes(about)}
      Options = [ordered]@{
${options
  .map(
    ({ name: option, about: of, value }) =>
      `        ${inQuotes(option)} = @(${inQuotes(of)}, ${value ? inQuotes(offered(value.offer)) : '$null'})`,
  )
  .join('\n')}
      }
      Operands = @(${operands.map(({ offer, isRepeated }) => inQuotes(`${isRepeated ? '*' : ''}${offered(offer)}`)).join(', ')})
    }`,
  )
  .join('\n')}
  }
  function Offer($kind) {
    if ($kind -like 'words *') {
      $kind.Substring(6).Split(' ') | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
    } elseif ($kind -eq 'step') {
      $file = $ast.CommandElements | ForEach-Object { "$_" } | Where-Object { $_ -match '\\.ya?ml$' -and (Test-Path $_) } | Select-Object -First 1
      if ($file) {
        $inside = $false
        $depth = 0
        foreach ($line in Get-Content $file) {
          if ($line -match '^steps:') { $inside = $true; continue }
          if ($line -match '^[^ #]') { $inside = $false }
          if ($inside -and $line -match '^( +)([a-z][a-z0-9_]*):') {
            if ($depth -eq 0) { $depth = $Matches[1].Length }
            if ($depth -eq $Matches[1].Length -and $Matches[2] -like "$word*") { [System.Management.Automation.CompletionResult]::new($Matches[2]) }
          }
        }
      }
    } elseif ($kind -in 'file', 'pipeline', 'folder') {
      Get-ChildItem -Path "$word*" -ErrorAction SilentlyContinue |
        Where-Object { $_.PSIsContainer -or $kind -eq 'file' -or ($kind -eq 'pipeline' -and $_.Name -match '\\.ya?ml$') } |
        ForEach-Object { $path = Resolve-Path -Relative $_.FullName; [System.Management.Automation.CompletionResult]::new($(if ($path -match ' ') { "'$path'" } else { $path }), $_.Name, 'ProviderItem', $_.Name) }
    }
  }
  $typed = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object { "$_" })
  $first = [ordered]@{
${firstWords().map(wordRow).join('\n')}
  }
  $second = @{
${[...secondWords()].map(([word, words]) => `    ${inQuotes(word)} = [ordered]@{\n${words.map(wordRow).join('\n')}\n    }`).join('\n')}
  }
  function Words($words) {
    $words.Keys | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $words[$_]) }
  }
  if ($typed.Count -eq 0) { Words $first; return }
  if ($typed.Count -eq 1 -and $second.Contains($typed[0])) { Words $second[$typed[0]] }
  $begin = if ($typed.Count -gt 1 -and $commands.Contains("$($typed[0]) $($typed[1])")) { 2 } else { 1 }
  $command = $commands[($typed[0..($begin - 1)] -join ' ')]
  if ($null -eq $command) { return }
  $before = $typed[-1]
  if ($typed.Count -gt $begin -and $command.Options.Contains($before) -and $command.Options[$before][1]) { Offer $command.Options[$before][1]; return }
  if ($word -like '-*') {
    $command.Options.Keys | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $command.Options[$_][0]) }
    return
  }
  $place = 0
  for ($at = $begin; $at -lt $typed.Count; $at++) {
    if ($command.Options.Contains($typed[$at]) -and $command.Options[$typed[$at]][1]) { $at++ }
    elseif ($typed[$at] -notlike '-*') { $place++ }
  }
  $operands = $command.Operands
  if ($operands.Count -eq 0) { return }
  $operand = if ($place -lt $operands.Count) { $operands[$place] } elseif ($operands[-1] -like '[*]*') { $operands[-1] } else { return }
  Offer $operand.TrimStart('*')
}
`;
}

const wordRow = ({ word, about }: CompletedWord): string => `    ${inQuotes(word)} = ${inQuotes(about)}`;
const offered = (offer: Offer): string => (offer.is === 'words' ? `words ${offer.words.join(' ')}` : offer.is);
const inQuotes = (text: string): string => `'${text.replaceAll("'", "''")}'`;
