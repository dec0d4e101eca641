/**
 * A transcript as text that a person reads, writes and compares:
 *
 *     ## a finished generation says where its result is
 *     1 > POST /api/ai/queue {"model":"I-GEN-A","prompt":"a red fox"}
 *     1 < 200 {"generations":[{"generation_id":"gen-1","status":"queued"}]}
 *     * finish gen-1
 *     2 > GET /api/ai/queue/gen-1
 *     2 < 200 {"generation_id":"gen-1","status":"succeeded","result_url":"{service}/results/gen-1/result.webp"}
 *
 * `>` asks, `<` answers, `~` is a frame of an event stream and `.` its end, under the number of their request; headers that matter and
 * further lines of a frame are indented below. Frames that differ in nothing but a piece of text are written as one, with `{piece}` in its
 * place and the pieces below it. `*` is a cue: what the case has happen at the service, beside asking it. `{service}` stands for the base
 * address, `{elsewhere}` for another origin, where results may lie. A model object that comes again and again is written once, as
 * `@name {…}`, and stands in a body as `{"@":"name"}`.
 */
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { type Answered, type Line, parsed, type Told, type Transcript } from './transcript.ts';

export function print(about: string, transcript: Transcript): string {
  const cast = castOf([...transcript.values()].flat());
  const cases = [...transcript].map(([name, lines]) => [
    `## ${name}`,
    ...folded(lines).map(line => printed(line, cast)),
  ]);
  const models = [...cast].map(([text, name]) => `@${name} ${text}`);
  const parts = [about.split('\n').map(line => `# ${line}`.trimEnd()), models, ...cases];
  return `${parts
    .filter(part => part.length > 0)
    .map(part => part.join('\n'))
    .join('\n\n')}\n`;
}

function printed(line: Line, cast: ReadonlyMap<string, string>): string {
  if (line.is === 'cue') return `* ${line.text}`;
  if (line.is === 'ended') return `${line.n} .`;
  if (line.is === 'told') return `${line.n} ~ ${line.frame.replaceAll('\n', `\n${INDENT}`)}`;
  const headers = Object.entries(line.headers).map(([name, value]) => `\n${INDENT}${name}: ${value}`);
  const head = line.is === 'asked' ? `> ${line.method} ${line.path}` : `< ${line.status}`;
  const body = line.is === 'asked' ? line.body : printedBody(line, cast);
  return `${line.n} ${head} ${body}`.trimEnd() + headers.join('');
}

/** A stream of text comes a word at a time: what stays the same is written once. */
function folded(lines: readonly Line[]): readonly Line[] {
  const all: Line[] = [];
  for (const line of lines) {
    const [before = '', piece, after = ''] = line.is === 'told' ? piecesOf(line.frame) : [];
    if (line.is !== 'told' || piece === undefined) {
      all.push(line);
      continue;
    }
    const whole = `${before}"{piece}"${after}\n${PIECES}`;
    const last = all.at(-1);
    const isSame = last?.is === 'told' && last.n === line.n && last.frame.startsWith(whole);
    if (isSame) all.splice(-1, 1, { ...last, frame: `${last.frame.slice(0, -1)},${piece}]` });
    else all.push({ ...line, frame: `${whole}[${piece}]` });
  }
  return all;
}

const PIECES = '* ';
const piecesOf = (frame: string): readonly string[] =>
  /^(data: .*"delta":\{"content":)("(?:[^"\\]|\\.)*")(\}.*)$/.exec(frame)?.slice(1) ?? [];

function unfolded({ n, frame }: Told): readonly Told[] {
  const [whole = '', list] = frame.split(`\n${PIECES}`);
  if (list === undefined) return [{ is: 'told', n, frame }];
  const pieces = JSON.parse(list) as readonly string[];
  return pieces.map(piece => ({ is: 'told', n, frame: whole.replace('"{piece}"', () => JSON.stringify(piece)) }));
}

const INDENT = '    ';
const BASE64 = 'base64:';

function printedBody({ headers, body }: Answered, cast: ReadonlyMap<string, string>): string {
  const text = body.toString('utf8').trimEnd();
  const value = parsed(text);
  if (value !== undefined) return JSON.stringify(value, (_, part) => named(part, cast));
  const isText = headers['content-type']?.startsWith('text/') && !text.includes('\n');
  return isText || body.length === 0 ? text : BASE64 + body.toString('base64');
}

function named(part: Json, cast: ReadonlyMap<string, string>): Json {
  const name = isModel(part) ? cast.get(JSON.stringify(part)) : undefined;
  return name === undefined ? part : { '@': name };
}

/** Model objects that are told more than once, by their text. */
function castOf(lines: readonly Line[]): ReadonlyMap<string, string> {
  const times = new Map<string, { readonly id: string; times: number }>();
  const count = (_: string, part: Json) => {
    if (!isModel(part)) return part;
    const seen = times.get(JSON.stringify(part)) ?? { id: String(part.id), times: 0 };
    times.set(JSON.stringify(part), { ...seen, times: seen.times + 1 });
    return part;
  };
  for (const line of lines) if (line.is === 'answered') JSON.stringify(parsed(line.body.toString('utf8')), count);
  const names = new Map<string, number>();
  const cast = new Map<string, string>();
  for (const [text, { id, times: often }] of times) {
    if (often < 2) continue;
    const n = (names.get(id) ?? 0) + 1;
    names.set(id, n);
    cast.set(text, n === 1 ? id : `${id}#${n}`);
  }
  return cast;
}

const isModel = (part: Json): part is JsonObject =>
  typeof part === 'object' && part !== null && 'object' in part && part.object === 'model';

/** Throws where a line cannot be read: a transcript is part of the tests. */
export function parse(text: string): Transcript {
  const cast = new Map<string, Json>();
  const cases = new Map<string, Line[]>();
  let lines: Line[] = [];
  const blocks = text.split('\n').reduce<string[]>((all, line) => {
    if (line.startsWith(INDENT)) all.push(`${all.pop()}\n${line.slice(INDENT.length)}`);
    else if (line !== '' && !/^# |^#$/.test(line)) all.push(line);
    return all;
  }, []);
  for (const block of blocks) {
    const [first = '', ...more] = block.split('\n');
    const [, name, model] = /^@(\S+) (.*)$/.exec(first) ?? [];
    if (name !== undefined) cast.set(name, JSON.parse(model ?? ''));
    else if (first.startsWith('## ')) {
      lines = [];
      cases.set(first.slice(3), lines);
    } else {
      const line = read(first, more, cast);
      lines.push(...(line.is === 'told' ? unfolded(line) : [line]));
    }
  }
  return cases;
}

function read(first: string, more: readonly string[], cast: ReadonlyMap<string, Json>): Line {
  if (first.startsWith('* ')) return { is: 'cue', text: first.slice(2) };
  const [, number, sign, rest = ''] = /^(\d+) ([>~<.]) ?(.*)$/.exec(first) ?? [];
  const n = Number(number);
  if (sign === '.') return { is: 'ended', n };
  if (sign === '~') return { is: 'told', n, frame: [rest, ...more].join('\n') };
  const headers = Object.fromEntries(more.map(line => line.split(/: (.*)/, 2)));
  if (sign === '>') {
    const [, method = '', path = '', body = ''] = /^(\S+) (\S+) ?(.*)$/.exec(rest) ?? [];
    return { is: 'asked', n, method, path, headers, body };
  }
  const [, status, body = ''] = /^(\d+) ?(.*)$/.exec(rest) ?? [];
  if (sign !== '<' || status === undefined) throw new Error(`a transcript has a line that cannot be read: ${first}`);
  return { is: 'answered', n, status: Number(status), headers, body: bytes(body, cast) };
}

function bytes(body: string, cast: ReadonlyMap<string, Json>): Buffer {
  if (body.startsWith(BASE64)) return Buffer.from(body.slice(BASE64.length), 'base64');
  if (parsed(body) === undefined) return Buffer.from(body);
  const whole = (_: string, part: Json): Json =>
    typeof part === 'object' && part !== null && '@' in part ? actor(String(part['@']), cast) : part;
  return Buffer.from(JSON.stringify(JSON.parse(body, whole)));
}

function actor(name: string, cast: ReadonlyMap<string, Json>): Json {
  const found = cast.get(name);
  if (found === undefined) throw new Error(`a transcript names @${name} and does not say what it is`);
  return found;
}
