/** What to write where a shape is wrong, as YAML: made of what the author wrote, where that is clear. */
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import { flowText, nameFrom } from './foreign/flow-text.ts';
import { numberMeant } from './foreign/meant-values.ts';
import { own } from './foreign/wording.ts';

/** A place in the file: the keys that lead to it, and the whole file for its other names. */
interface ShapePlace {
  readonly path: readonly string[];
  readonly file: MapNode;
}

/** Undefined where the message is enough without. Ends without a full stop; a snippet is in backticks. */
export function shapeSnippet(node: Node | undefined, { path, file }: ShapePlace): string | undefined {
  const [section, name, key, inner] = path;
  if (name === undefined) return ofSection(section, node, file);
  switch (section) {
    case 'params':
      if (key === 'items' && inner === undefined) return yaml(`items: { type: ${scalarText(node) ?? 'string'} }`);
      return key === undefined ? yaml(`${name}: ${paramOf(node)}`) : undefined;
    case 'outputs':
      return key === undefined ? yaml(`${name}: ${outputOf(node, name, file)}`) : undefined;
    case 'data':
      return key === undefined ? dataSnippet(name, node) : undefined;
    case 'models':
      return key === undefined ? yaml(`${name}: V-T2V-A`) : undefined;
    case 'defaults':
      return name === 'with'
        ? yaml('with: { resolution: 720P }')
        : name === 'timeout'
          ? timeout(node, name)
          : name === 'retry' || name === 'concurrency'
            ? ofStepKey(name, key, node)
            : undefined;
    case 'concurrency':
      return yaml(`${name}: 2`);
    case 'steps':
      if (path.length > 4 && key !== undefined && Object.hasOwn(DEEPER, key)) return DEEPER[key]?.(path.at(-1), node);
      return key === undefined ? yaml(`${name}: ${stepOf(node)}`) : ofStepKey(key, inner, node);
    default:
      return undefined;
  }
}

/** Values are written on an axis; `data` names files. */
function dataSnippet(name: string, node: Node | undefined): string {
  const path = node?.is === 'map' ? (textOf(node, 'file') ?? textOf(node, 'path')) : undefined;
  const file = yaml(`${name}: ${path ?? `${name}.csv`}`);
  return node?.is === 'list'
    ? `${file}, the name of a file, or the values on an axis: ${yaml(`matrix: { ${name}: ${flowText(node)} }`)}`
    : file;
}

/** What to write for a key that is missing in a mapping. */
export function missingSnippet(key: string, map: MapNode, { path, file }: ShapePlace): string | undefined {
  const [section, name] = path;
  if (section === 'params' && key === 'type' && path.length === 2) return yaml(`${name}: ${typedParam(map)}`);
  if (section === 'outputs' && key === 'to') return yaml(`to: out/${name}.mp4`);
  if (section === 'outputs' && key === 'from') return yaml(`from: \${{ steps.${lastStep(file)} }}`);
  if (path.length === 0 && key === 'name') return yaml('name: my film');
  if (path.length === 0 && key === 'steps') return ofSection('steps', undefined, file);
  if (section === 'models' && key === 'id') return yaml('id: vendor/name');
  if (key === 'attempts') return yaml('attempts: 3');
  if (key === 'repository') return yaml('repository: studio/looks');
  if (key === 'fine_tune') return yaml('fine_tune: ft-1');
  return undefined;
}

const yaml = (text: string): string => `\`${text}\``;

function ofSection(section: string | undefined, node: Node | undefined, file: MapNode): string | undefined {
  switch (section) {
    case 'steps': {
      const first = node?.is === 'list' ? node.items[0] : undefined;
      const label = first?.is === 'map' ? (textOf(first, 'name') ?? textOf(first, 'id')) : undefined;
      const [only] = first?.is === 'map' ? first.entries : [];
      if (only?.value.is === 'map') return yaml(`steps: { ${nameFrom(only.name, 'shot')}: ${flowText(only.value)} }`);
      if (first?.is !== 'map' || label === undefined) return yaml('steps: { shot: { model: V-T2V-A, with: { … } } }');
      return yaml(`steps: { ${nameFrom(label, 'shot')}: { model: ${textOf(first, 'model') ?? 'V-T2V-A'}, … } }`);
    }
    case 'params': {
      const first = node?.is === 'list' ? node.items[0] : undefined;
      const name = first?.is === 'map' ? (textOf(first, 'name') ?? first.entries[0]?.name) : scalarText(first);
      return yaml(`params: { ${nameFrom(name ?? '', 'idea')}: { type: string } }`);
    }
    case 'outputs': {
      const first = node?.is === 'list' ? node.items[0] : node;
      return yaml(`outputs: { film: ${outputOf(first, 'film', file)} }`);
    }
    case 'models': {
      const label = node?.is === 'list' ? scalarText(node.items[0]) : scalarText(node);
      return yaml(`models: { film: ${label ?? 'V-T2V-A'} }`);
    }
    case 'concurrency':
      return yaml(`concurrency: { ${nameFrom(scalarText(node) ?? '', 'upscale')}: 2 }`);
    case 'env': {
      const names = node?.is === 'map' ? node.entries.map(entry => entry.name) : [scalarText(node) ?? 'TOKEN'];
      return yaml(`env: [${names.join(', ')}]`);
    }
    case 'data': {
      const path = node?.is === 'list' ? scalarText(node.items[0]) : scalarText(node);
      const [, name = ''] = /([^/\\]+?)(?:\.\w+)?$/.exec(path ?? '') ?? [];
      return yaml(`data: { ${nameFrom(name, 'scenes')}: ${path ?? 'scenes.csv'} }`);
    }
    case 'budget': {
      const amount = numberMeant(scalarText(node?.is === 'list' ? node.items[0] : node) ?? '');
      return yaml(`budget: { usd: ${amount !== undefined && amount >= 0 ? amount : 25} }`);
    }
    case 'profiles':
      return yaml('profiles: { draft: { defaults: { with: { resolution: 720P } } } }');
    case 'defaults':
      return yaml('defaults: { with: { resolution: 720P } }');
    case 'name':
    case 'description':
      return yaml(node?.is === 'scalar' && node.value !== null ? `${section}: "${node.value}"` : `${section}: my film`);
    default:
      return undefined;
  }
}

/** What to write under a key of a step; `inner` is the key inside it. */
type OfKey = (node: Node | undefined, inner: string | undefined, given: string) => string | undefined;

const OF_STEP: Readonly<Record<string, OfKey>> = {
  with: (node, _, given) => {
    // `prompt = a fox`
    const [, name, value] = /^(\w+) *:?= *(.+)$/.exec(given) ?? [];
    if (name !== undefined) return yaml(`${name}: ${value}`);
    const first = node?.is === 'list' ? node.items[0] : node;
    return yaml(`with: ${first?.is === 'map' ? flowText(first) : `{ prompt: ${first ? flowText(first) : '…'} }`}`);
  },
  matrix: ofMatrix,
  needs: node => {
    const names = node?.is === 'map' ? node.entries.map(({ name }) => name) : [];
    return names.length === 0 ? `${yaml('needs: [name]')}, the name of a step` : yaml(`needs: [${names.join(', ')}]`);
  },
  each: node => {
    const of = (item: Node | undefined) => scalarText(item) ?? '${{ steps.name }}';
    if (node?.is !== 'list' || node.items.length < 2)
      return yaml(`each: ${of(node?.is === 'list' ? node.items[0] : undefined)}`);
    const [one, other] = node.items.map(of);
    return `${yaml(`each: { ${stepIn(one, 'one')}: "${one}", ${stepIn(other, 'other')}: "${other}" }`)}, a name for each`;
  },
  takes: node => yaml(`takes: ${node?.is === 'list' ? Math.max(1, node.items.length) : 3}`),
  max: () => yaml('max: 12'),
  key: () => yaml('key: ${{ matrix.row.slug }}'),
  else: () => yaml('else: ${{ steps.name }}'),
  only: () => yaml('only: { V-UP: { grain: 0.05 } }'),
  effect: () => yaml('effect: true'),
  shell: () => yaml('shell: bash'),
  description: (_, __, given) => yaml(`description: "${given.replaceAll('"', "'")}"`),
  if: () => yaml('if: ${{ params.name }}'),
  timeout: (node, inner) => timeout(node, inner ?? 'timeout'),
  retry: retrySnippet,
  concurrency: node =>
    yaml(`concurrency: ${nameFrom((node?.is === 'map' ? node.entries[0]?.name : scalarText(node)) ?? '', 'upscale')}`),
  on_timeout: () => yaml('on_timeout: cancel'),
  schema: () => yaml('schema: { type: object, required: [title], properties: { title: { type: string } } }'),
  run: node => {
    const words = node?.is === 'map' ? scalarText(node.entries[0]?.value) : scalarText(node);
    return yaml(`run: [${(words ?? 'ffmpeg -version').split(' ').join(', ')}]`);
  },
  files: (node, inner, given) => ofFiles('files', inner, node, given),
  creates: (node, inner, given) => ofFiles('creates', inner, node, given),
  env: (node, inner, given) => ofVariables(inner, node, given),
  judge: (node, inner, given) => {
    if (inner !== undefined) return undefined;
    const isLabel = /^[A-Z]+-[A-Z0-9-]+$/.test(given);
    return yaml(
      `judge: { model: ${isLabel ? given : 'C-B'}, prompt: ${isLabel || node?.is !== 'scalar' ? 'Which is best?' : given} }`,
    );
  },
  until: (_, inner, given) =>
    inner === undefined ? yaml(`until: { holds: ${given === '…' ? '"${{ … }}"' : given}, max: 3 }`) : undefined,
  tokenize: (node, inner, given) =>
    inner !== undefined
      ? yaml(`${inner}: "${given.replaceAll('"', "'")}"`)
      : yaml(`tokenize: { repository: ${scalarText(node) ?? 'studio/looks'}, fine_tune: ft-1 }`),
  cut: (node, inner, given) => ofCut(node, inner, given),
  save: () => yaml('save: out/film.mp4'),
  model: node => yaml(`model: ${node?.is === 'list' ? (scalarText(node.items[0]) ?? 'V-T2V-A') : 'V-T2V-A'}`),
};

function ofStepKey(key: string, inner: string | undefined, node: Node | undefined): string | undefined {
  const given = node === undefined ? '…' : flowText(node);
  return Object.hasOwn(OF_STEP, key) ? OF_STEP[key]?.(node, inner, given) : undefined;
}

function ofCut(node: Node | undefined, inner: string | undefined, given: string): string {
  const first = scalarText(node?.is === 'list' ? node.items[0] : node);
  if (inner === 'over') return yaml(overOf(node));
  if (inner === 'clips' && first !== undefined) return yaml(`clips: [${given}]`);
  if (inner === 'music' && first !== undefined) return yaml(`music: ${first}`);
  const example = inner === undefined ? undefined : own(IN_CUT, inner);
  if (example !== undefined) return yaml(`${inner}: ${example}`);
  const clips = node?.is === 'list' && node.items.length > 0 ? given : `["\${{ steps.shot }}"]`;
  return yaml(`cut: { clips: ${clips} }`);
}

/** Of a clip, and of what stands inside one key of a cut. */
function inClip(key: string | undefined, node: Node | undefined): string | undefined {
  if (key === 'over') return yaml(overOf(node));
  if (key !== 'beside') return undefined;
  const files = node?.is === 'map' ? node.entries.map(({ value }) => value) : [];
  return yaml(`beside: [${files.length > 1 ? files.map(flowText).join(', ') : 'media/one.mp4, media/other.mp4'}]`);
}

/** By the key of a step: what to write for a key inside what the key holds. */
const DEEPER: Readonly<Record<string, typeof inClip>> = { cut: inClip };

const overOf = (node: Node | undefined): string =>
  `over: { text: ${node?.is === 'scalar' && node.value !== null ? flowText(node) : 'A river'}, at: bottom }`;

const IN_CUT: Readonly<Record<string, string>> = {
  clips: `["\${{ steps.shot }}"]`,
  join: '{ dissolve: 0.4s }',
  music: '{ from: media/music.mp3, level: -18, duck: true }',
  subtitles: `{ from: "\${{ steps.words.json }}" }`,
  loudness: '-16',
  size: '1920x1080',
  fps: '24',
  fit: 'blur',
  codec: 'h264',
};

function ofMatrix(node: Node | undefined, axis: string | undefined, given: string): string {
  const isExpression = node?.is === 'scalar' && String(node.value).startsWith('${{');
  if (axis === 'exclude' && isExpression)
    return `${yaml(`${axis}: [{ … }]`)} with values of the axes, or leave instances out by ${yaml('if: ${{ … }}')} on the step`;
  if (axis === 'include' || axis === 'exclude') return yaml(`${axis}: [${given}]`);
  if (axis !== undefined) {
    const isPlain = node?.is === 'scalar' && node.value !== null;
    return yaml(`${axis}: ${isPlain ? `[${given}]` : '[11, 22]'}`);
  }
  // A table is a list already.
  if (isExpression) return `${yaml(`matrix: { item: ${given} }`)} and read \`\${{ matrix.item }}\``;
  return `${yaml(`matrix: { item: ${node?.is === 'list' ? given : node?.is === 'scalar' && node.value !== null ? `[${given}]` : '[11, 22]'} }`)} and read \`\${{ matrix.item }}\``;
}

function ofFiles(key: string, name: string | undefined, node: Node | undefined, given: string): string {
  if (name !== undefined) return yaml(`${name}: ${key === 'files' ? 'media/clip.mp4' : 'film.mp4'}`);
  const path = node?.is === 'list' ? scalarText(node.items[0]) : scalarText(node);
  if (path === undefined) return yaml(`${key}: ${node?.is === 'map' ? given : '{ clip: media/clip.mp4 }'}`);
  const file = /([^/\\]+?)(?:\.\w+)?$/.exec(path)?.[1] ?? '';
  return yaml(`${key}: { ${nameFrom(file, 'clip')}: ${path} }`);
}

function ofVariables(name: string | undefined, node: Node | undefined, given: string): string {
  if (name !== undefined) return yaml(`${name}: "${given.replaceAll('"', "'")}"`);
  const first = node?.is === 'list' ? scalarText(node.items[0]) : scalarText(node);
  const [, variable = 'NAME', value = 'value'] = /^(\w+)=(.*)$/.exec(first ?? '') ?? [];
  return yaml(`env: { ${variable}: ${value} }`);
}

function retrySnippet(node: Node | undefined, inner: string | undefined): string {
  if (inner === 'backoff') return timeout(node, inner);
  if (inner === 'on')
    return yaml(`on: [${node?.is === 'scalar' && typeof node.value === 'string' ? flowText(node) : 'failed'}]`);
  const times = node?.is === 'scalar' && typeof node.value === 'number' && node.value >= 1 ? Math.round(node.value) : 3;
  return inner === 'attempts' ? yaml(`attempts: ${times}`) : yaml(`retry: { attempts: ${times} }`);
}

const timeout = (node: Node | undefined, key: string): string =>
  node?.is === 'scalar' && typeof node.value === 'number' ? yaml(`${key}: ${node.value}s`) : yaml(`${key}: 10m`);

function stepOf(node: Node | undefined): string {
  const label = node?.is === 'list' ? scalarText(node.items[0]) : scalarText(node);
  return `{ model: ${label !== undefined && /^[A-Z]+-|\//.test(label) ? label : 'V-T2V-A'}, with: { … } }`;
}

/** `a fox` → `{ type: string, default: a fox }` */
export function paramOf(node: Node | undefined): string {
  if (node === undefined || (node.is === 'scalar' && node.value === null)) return '{ type: string }';
  if (node.is === 'map') return '{ type: string }';
  if (node.is === 'scalar') return `{ type: ${typeOf(node)}, default: ${flowText(node)} }`;
  const first = node.items[0];
  return `{ type: array, items: { type: ${first ? typeOf(first) : 'string'} }, default: ${flowText(node)} }`;
}

/** With the keys that it has already. */
function typedParam(map: MapNode): string {
  const standard = child(map, 'default');
  const others = map.entries
    .filter(({ name }) => name !== 'type')
    .map(({ name, value }) => `${name}: ${flowText(value)}`);
  return `{ type: ${standard ? typeOf(standard) : 'string'}${others.length > 0 ? `, ${others.join(', ')}` : ''} }`;
}

function typeOf(node: Node): string {
  if (node.is === 'list') return 'array';
  if (node.is === 'map' || typeof node.value === 'string' || node.value === null) return 'string';
  return typeof node.value === 'boolean' ? 'boolean' : Number.isInteger(node.value) ? 'integer' : 'number';
}

function outputOf(node: Node | undefined, name: string, file: MapNode): string {
  const text = scalarText(node);
  const isFrom = text?.includes('steps.') === true;
  const from =
    isFrom && text.startsWith('${{')
      ? text.replace(/\.(result_url|file)(?= *\}\}$)/, '')
      : `\${{ steps.${lastStep(file)} }}`;
  const to = text !== undefined && !isFrom && /[./]/.test(text) ? text : `out/${name}.mp4`;
  return `{ from: "${from}", to: ${to} }`;
}

function lastStep(file: MapNode): string {
  const steps = child(file, 'steps');
  return (steps?.is === 'map' ? steps.entries.at(-1)?.name : undefined) ?? 'name';
}

/** `${{ steps.still }}` → `still` */
const stepIn = (text: string | undefined, otherwise: string): string =>
  /steps\.([a-z][a-z0-9_]*)/.exec(text ?? '')?.[1] ?? otherwise;

const textOf = (map: MapNode, key: string): string | undefined => scalarText(child(map, key));

const scalarText = (node: Node | undefined): string | undefined =>
  node?.is === 'scalar' && node.value !== null ? String(node.value) : undefined;
