/** Commands that teach: what things are called, and what other programs wrote. */
import type { CommandHelp } from './option.ts';
import { JSON_DOCUMENT } from './shared-options.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const TOOL_COMMANDS = {
  import: {
    usage: 'import WORKFLOW.json',
    brief: 'a ComfyUI or fal workflow as a pipeline, with what could not be carried over',
    operands: [
      {
        name: 'WORKFLOW.json',
        takes: 'file',
        about: 'as ComfyUI saves or exports it (API format too), or a fal workflow; `-` is standard input',
      },
    ],
    options: {
      out: {
        value: 'FILE',
        takes: 'file',
        about: 'where the pipeline goes (default: standard output); never over a file',
      },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist import comfy-workflow.json --out film.yaml', about: 'then `shotlist check film.yaml`' },
      { line: 'shotlist import fal-workflow.json | shotlist check -', about: 'without a file between' },
    ],
    exits: [0, 1, 2],
  },
  explain: {
    usage: 'explain [WORD]',
    brief: 'a key, a function, a model, a setting, an event or an exit code, in full',
    operands: [
      {
        name: 'WORD',
        takes: 'nothing',
        about: 'steps.matrix, size, V-RT, SHOTLIST_UI, failed, exit 3; without one: all that can be asked for',
      },
    ],
    options: JSON_DOCUMENT,
    examples: [
      { line: 'shotlist explain steps.matrix', about: 'what may stand there, with an example' },
      { line: 'shotlist explain exit 3', about: 'what an exit code means' },
    ],
    exits: [0, 2],
  },
  completion: {
    usage: 'completion SHELL',
    brief: 'completions for your shell, as a script that asks this program nothing',
    operands: [{ name: 'SHELL', takes: 'nothing', oneOf: SHELLS, about: 'bash, zsh, fish or powershell' }],
    options: JSON_DOCUMENT,
    examples: [
      {
        line: 'shotlist completion bash > ~/.local/share/bash-completion/completions/shotlist',
        about: 'bash; for zsh: `> "${fpath[1]}/_shotlist"`',
      },
      {
        line: 'shotlist completion fish > ~/.config/fish/completions/shotlist.fish',
        about: 'fish; PowerShell: `shotlist completion powershell >> $PROFILE`',
      },
    ],
    exits: [0, 2],
  },
  lsp: {
    usage: 'lsp',
    brief: 'the language server for editors: started by one, never by hand',
    operands: [],
    options: {
      stdio: { about: 'as editors say that they talk over standard input and output; it always does' },
      clientProcessId: { value: 'PID', takes: 'nothing', about: 'which editor it is, as some say' },
    },
    examples: [
      { line: 'shotlist lsp', about: 'what an editor is told to start: see pipelines/guide/editor.md' },
      { line: 'shotlist lsp --stdio', about: 'the same' },
    ],
    exits: [0, 2],
  },
  help: {
    usage: 'help [COMMAND]',
    brief: 'this page, or all of one command',
    operands: [{ name: 'COMMAND', takes: 'nothing', about: 'its usage, examples, options and exit codes' }],
    options: JSON_DOCUMENT,
    examples: [
      { line: 'shotlist help run', about: 'the same as `shotlist run --help`' },
      { line: 'shotlist help --json', about: 'every command, option and exit code, for a program' },
    ],
    exits: [0, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
