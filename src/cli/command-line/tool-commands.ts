/** Commands that teach: what things are called, and what other programs wrote. */
import { type CommandHelp, JSON_DOCUMENT, operand, option } from './option.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const TOOL_COMMANDS = {
  'tools import': {
    usage: 'tools import WORKFLOW.json',
    brief: 'a ComfyUI or fal workflow as a pipeline, with what could not be carried over',
    operands: [
      operand(
        'WORKFLOW.json',
        'file',
        'as ComfyUI saves or exports it (API format too), or a fal workflow; `-` is standard input',
      ),
    ],
    options: {
      out: option('FILE', 'where the pipeline goes (default: standard output); never over a file', { takes: 'file' }),
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist tools import comfy-workflow.json --out film.yaml': 'then `shotlist check film.yaml`',
      'shotlist tools import fal-workflow.json | shotlist check -': 'without a file between',
    },
    exits: [0, 1, 2],
  },
  'tools completion': {
    usage: 'tools completion SHELL',
    brief: 'completions for your shell, as a short script that asks this program',
    operands: [operand('SHELL', 'nothing', 'bash, zsh, fish or powershell', { oneOf: SHELLS })],
    options: JSON_DOCUMENT,
    examples: {
      'shotlist tools completion bash > ~/.local/share/bash-completion/completions/shotlist':
        'bash; for zsh: `> "${fpath[1]}/_shotlist"`',
      'shotlist tools completion fish > ~/.config/fish/completions/shotlist.fish':
        'fish; PowerShell: `shotlist tools completion powershell >> $PROFILE`',
    },
    exits: [0, 2],
  },
  'tools lsp': {
    usage: 'tools lsp',
    brief: 'the language server for editors: started by one, never by hand',
    operands: [],
    options: {},
    examples: {
      'shotlist tools lsp': 'what an editor starts: see pipelines/guide/editor.md',
      'shotlist tools lsp --stdio': 'the same',
    },
    exits: [0, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
