/** What an interpreter reads of a command's arguments: a script, or a file that holds one. */
import type { Value } from '../domain/pipeline.ts';

/** `[sh, -c, "echo ${{ … }}"]`: the argument that a shell, or another interpreter, reads as a script with a value pasted into it. */
export function pastedScript(argv: readonly Value[]): Value | undefined {
  const { script } = readByInterpreter(argv);
  return script?.is === 'literal' ? undefined : script;
}

/** `[node, music.mjs]`: a script beside the film, which the empty folder of a command does not hold. */
export function scriptOutside(argv: readonly Value[]): { readonly path: string; readonly at: Value['at'] } | undefined {
  const { file } = readByInterpreter(argv);
  if (file?.is !== 'literal' || typeof file.value !== 'string') return undefined;
  const isOutside = !/^([/\\~]|[a-z]:)/i.test(file.value) && SCRIPT.test(file.value);
  return isOutside ? { path: file.value, at: file.at } : undefined;
}

const SCRIPT = /\.(py|sh|bash|zsh|fish|[cm]?[jt]s|rb|pl|php|lua|r|ps1)$/i;

function readByInterpreter(argv: readonly Value[]): { readonly script?: Value; readonly file?: Value } {
  const written = argv.map(value => (value.is === 'literal' && typeof value.value === 'string' ? value.value : ''));
  // An interpreter counts behind `env`, `nice` and the like, too, and by any path; `busybox sh` names two.
  let last = written.findIndex(word => scriptOption(word));
  if (scriptOption(written[last + 1] ?? '')) last++;
  const takesScript = scriptOption(written[last] ?? '');
  if (!takesScript) return {};
  // What follows the first word that is no option belongs to the script or to its program, and is data.
  for (let at = last + 1; at < argv.length; at++) {
    const word = written[at] ?? '';
    const [value, next] = argv.slice(at);
    if (takesScript.test(word)) return next ? { script: next } : {};
    if (TAKES_VALUE.test(word)) at++;
    else if (!/^(?:[-+]|\/[a-z](?::|$))/i.test(word)) return value ? { file: value } : {};
  }
  return {};
}

/** Which option of a program is followed by a script; undefined for what is no interpreter. */
function scriptOption(word: string): RegExp | undefined {
  const name = /^(?:.*[/\\])?([a-z]+)[\d.]*(?:\.exe)?$/i.exec(word)?.[1]?.toLowerCase() ?? '';
  return INTERPRETERS.find(([names]) => names.includes(name))?.[1];
}

const INTERPRETERS: readonly (readonly [names: readonly string[], script: RegExp])[] = [
  [['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox', 'python'], /^-[a-zA-Z]*c[a-zA-Z]*$/],
  [['perl', 'ruby'], /^-[a-zA-Z]*[eE]$/],
  [['node', 'deno', 'bun'], /^(-[ep]|-pe|eval|--eval|--print)$/],
  [['php'], /^-r$/],
  [['cmd'], /^\/[ck]$/i],
  [['powershell', 'pwsh'], /^-(c|command|encodedcommand)$/i],
];
/** `-o pipefail`, `-W ignore`, `-r module`. */
const TAKES_VALUE = /^([-+][a-zA-Z]*[oO]|-[WXIMr]|--(require|import|loader))$/;
