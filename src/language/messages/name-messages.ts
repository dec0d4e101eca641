/** Names that lead to nothing, or to the wrong thing: models, steps, params, axes, variables, fields of results. */
import { isDerivedField } from '../../model/media/derived-media.ts';
import { foreignFunction } from '../expression/functions/foreign-functions.ts';
import { isOrMayBeVideo, type RecordType, type Type } from '../types/types.ts';
import { foreignField, foreignRoot } from './foreign/foreign-expressions.ts';
import { a, and, error, quoted, subject, typeName, warning, withSuggestion } from './foreign/wording.ts';

export const nameMessages = {
  unknownModel: (name: string, near: string | undefined) =>
    withSuggestion(
      `unknown-model: no model is called \`${name}\`; ${near ? `did you mean \`${near}\`?` : 'use a label (`V-T2V-A`), a name from `models:`, or an id of the catalog (`vendor/name`)'}`,
      name,
      near,
    ),
  idOfCatalog: (name: string) =>
    warning(
      `model-not-described: nothing is known here of a model \`${name}\`, so its fields and its price are not checked; if your service has it, name it under \`models:\` with \`{ id: ${name} }\``,
    ),
  activatedLabel: (label: string) =>
    `base-model: \`${label}\` is a base model, which is always active; take \`activate\` out, or give the id of a custom model`,
  computedModel: (text: string) => {
    const [, name] = /^\$\{\{ *models\.(\w+) *\}\}$/.exec(text.trim()) ?? [];
    return withSuggestion(
      `computed-model: a model is named, not computed; write ${name === undefined ? 'its label, or an axis of `matrix` that lists models: `${{ matrix.by }}`' : `\`${name}\``}`,
      text,
      name,
    );
  },
  modelAxisList: (axis: string) =>
    `model-axis: an axis of models is a list that is written out, so that each of them can be checked: \`matrix: { ${axis}: [V-T2V-A, V-T2V-B] }\``,
  onlyWithoutAxis: () => 'only: `only` is for a step whose model is an axis; put these fields under `with`',
  onlyOfOther: (name: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `only: this step makes nothing with \`${name}\`; ${near ? `did you mean \`${near}\`?` : `its models are ${and(known)}`}`,
      name,
      near,
    ),
  badRepository: (given: string) =>
    `bad-repository: a repository is written \`namespace/name\`, not ${quoted(given)}; write both parts`,
  missingParts: (names: readonly string[], called: string) =>
    `missing-field: ${called} needs ${and(names)}; add ${names.length === 1 ? 'it' : 'them'}`,
  promptWithMessages: (name: string) =>
    `prompt-beside-messages: \`${name}\` stands for \`messages\`, and those are given too; keep one of them`,
  systemAlone: () => 'system-alone: `system` sets the tone, but nothing is asked; add a `prompt`, or write `messages`',
  imagesWithMessages: () =>
    'images-beside-messages: `images` goes with `prompt`; among your own `messages` make the content a list, with `{ type: image_url, image_url: { url: … } }` for each image',
  imagesAlone: () => 'images-alone: images are shown, but nothing is asked about them; add a `prompt`',
  cannotSee: (label: string, seeing: readonly string[]) =>
    `cannot-see: ${label} reads words alone and cannot be shown an image; ${seeing.length === 0 ? 'take it out' : `${and(seeing)} can`}`,
  schemaOfMedia: (label: string, produces: string) =>
    `schema-of-media: ${label} makes ${a(produces)}, not text; \`schema\` is for chat models, so take it out`,
  syncChat: (label: string) =>
    `via-chat: ${label} is a chat model, and chat is always answered at once; take \`via\` out`,
  unknownStep: (step: string, name: string, near: string | undefined) =>
    withSuggestion(
      `unknown-step: ${subject(step)} reads \`steps.${name}\`, which no step provides${near ? `; did you mean \`${near}\`?` : '; check the name'}`,
      name,
      near,
    ),
  unknownNeed: (step: string, name: string, near: string | undefined) =>
    withSuggestion(
      `unknown-step: step \`${step}\` needs \`${name}\`, which no step provides${near ? `; did you mean \`${near}\`?` : '; check the name'}`,
      name,
      near,
    ),
  needsPath: (text: string, name: string) =>
    `unknown-step: \`needs\` takes names of steps, not ${quoted(text)}; write \`${name}\``,
  needsAsText: (text: string, names: readonly string[]) =>
    withSuggestion(
      `unknown-step: \`needs\` takes a list of names, not ${quoted(text)}; write \`[${names.join(', ')}]\``,
      text,
      `[${names.join(', ')}]`,
    ),
  needsName: (text: string) => `needs-name: \`needs\` takes names of steps, not ${quoted(text)}; write the name alone`,
  selfReference: (step: string) => `self-reference: step \`${step}\` reads its own result; a step can only read others`,
  selfNeed: (step: string) => `self-reference: step \`${step}\` waits for itself; take it out of \`needs\``,
  cycle: (steps: readonly string[]) =>
    `cycle: steps wait for each other: ${[...steps, steps[0]].join(' → ')}; take one of these references out`,
  unknownRoot: (
    name: string,
    path: readonly string[],
    near: string | undefined,
    own: 'steps' | 'params' | 'data' | undefined,
  ) =>
    withSuggestion(
      `unknown-name: expressions do not know \`${name}\`; ${own ? `write \`${own}.${name}\`` : (foreignRoot(name, path) ?? (near ? `did you mean \`${near}\`?` : 'they can read `params`, `data`, `steps`, `matrix`, `each`, `take`, `previous`, `run` and `env`'))}`,
      name,
      own ? `${own}.${name}` : near,
    ),
  bareRoot: (root: string) =>
    `bare-name: \`${root}\` alone has no value; say which, like \`${root}.${root === 'take' ? 'number' : 'name'}\``,
  unknownParam: (name: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-param: no param is called \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `there are ${and(known)}` : 'declare it under `params:`'}`,
      name,
      near,
    ),
  unknownAxis: (name: string, step: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-axis: the matrix of \`${step}\` has no axis \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
      name,
      near,
    ),
  noMatrix: (step: string) =>
    `no-matrix: ${subject(step)} has no \`matrix\`, so \`matrix\` has no value here; add one, or read \`params\``,
  noEach: (step: string) =>
    `no-each: ${subject(step)} has no \`each\`, so \`each\` has no value here; add \`each: \${{ steps.… }}\` or read \`steps\``,
  unknownVariable: (name: string, near: string | undefined) =>
    withSuggestion(
      `unknown-variable: the file does not declare the variable \`${name}\`; ${near ? `did you mean \`${near}\`?` : `add it: \`env: [${name}]\``}`,
      name,
      near,
    ),
  unknownRunField: (name: string) => `unknown-field: \`run\` has no \`${name}\`; it has \`id\` and \`name\``,
  foreignField: (name: string, of: string, type: RecordType) => {
    const { called, fields } = type;
    if (name === 'frame_at' && isOrMayBeVideo(type))
      return `unknown-field: \`frame_at\` takes a time; write \`${of}.frame_at('2.5s')\``;
    const whole = insteadOfPart(name, type);
    if (whole !== undefined)
      return `unknown-field: \`${of}\` (${called}) has no \`${name}\`: ${whole}; write \`${of}.result_url\``;
    const plain = foreignField(name, fields);
    if (plain === undefined && OUTCOMES.has(name))
      return `unknown-field: \`${of}\` (${called}) has no \`${name}\`: what reads or needs a step runs only where that step has succeeded; take the condition out`;
    return plain === undefined
      ? undefined
      : withSuggestion(
          `unknown-field: \`${of}\` (${called}) has no \`${name}\`; write \`${of}.${plain}\``,
          name,
          plain,
        );
  },
  hyphenInName: (code: string, written: string, name: string) =>
    withSuggestion(
      `unknown-field: \`-\` is a minus, and no part of a name; write \`${code.slice(0, -written.length)}${name}\``,
      written,
      name,
    ),
  noSchema: (of: string, step: string, path: readonly string[]) =>
    `no-schema: the answer of \`${step}\` is only text, for it has no schema; add \`schema:\` to \`${step}\`, like \`schema: { type: object, required: [${path[0] ?? 'title'}], properties: { ${path[0] ?? 'title'}: { type: ${path.length > 1 ? 'array' : 'string'} } } }\`, or read \`${of}.text\``,
  unknownField: (name: string, of: string, called: string, near: string | undefined, known: readonly string[]) => {
    // A column of a table may have any name.
    if (near !== undefined && !/^\w+$/.test(near))
      return `unknown-field: \`${of}\` (${called}) has no \`${name}\`; write \`${of}['${near.replaceAll("'", "\\'")}']\``;
    return withSuggestion(
      `unknown-field: \`${of}\` (${called}) has no \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : 'it has none'}`,
      name,
      near,
    );
  },
  noFields: (of: string, type: Type, name: string) =>
    `no-fields: \`${of}\` is ${typeName(type)} and has no \`${name}\`; write ${insteadOfField(of, type, name)}`,
  fieldOfFanOut: (step: string, field: string, coordinates: readonly string[]) =>
    error(
      'list-not-one',
      SIZES.has(field)
        ? `step \`${step}\` is fanned out (${coordinates.join(', ')}), so it gives a list; its length is \`size(steps.${step})\``
        : !/^\w+$/.test(field)
          ? `step \`${step}\` is fanned out (${coordinates.join(', ')}), so it gives a list; pick one by its place, \`steps.${step}[0]\`, or by a coordinate: \`steps.${step}.filter(s, s.matrix.${coordinates[0]} == …)[0]\``
          : `step \`${step}\` is fanned out (${coordinates.join(', ')}), so it gives a list; use \`each: \${{ steps.${step} }}\` and \`each.${field}\`, or \`steps.${step}.map(s, s.${field})\` for all of them`,
    ),
  notKnownYet: ({ where, roots }: { where: string; roots: readonly string[] }, path: string) =>
    `not-known-yet: ${where} must be known before the step runs, and \`${path}\` is not; it can read ${and(roots)}`,
  unknownData: (name: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-data: no data is called \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `there is ${and(known)}` : `name its file: \`data: { ${name}: ${name}.csv }\``}`,
      name,
      near,
    ),
  noTakes: (step: string) =>
    `no-takes: ${subject(step)} has no \`takes\`, so \`take\` has no value here; add \`takes: 3\``,
  unknownTakeField: (name: string) => `unknown-field: \`take\` has no \`${name}\`; it has \`number\` and \`seed\``,
  noPrevious: (step: string) =>
    `no-previous: ${subject(step)} is not fanned out, so no instance is before it; add a \`matrix\`, like \`part: 1..8\`, or \`until\` to make it in rounds`,
  previousUnasked: (code: string) =>
    `previous-unasked: the first instance has nothing before it; ask first: \`has(${code}) ? ${code} : …\``,
};

/** What only a video has, asked of a still or of sound. */
function insteadOfPart(name: string, { leadsTo, fields }: RecordType): string | undefined {
  if (!fields.has('result_url') || !(isDerivedField(name) || name === 'frame_at')) return undefined;
  if (leadsTo === 'image') return name === 'sound' ? 'a still is silent' : 'a still is its own frame';
  if (leadsTo === 'audio') return name === 'sound' ? 'it is sound itself' : 'sound has no pictures';
  return undefined;
}

/** What other systems call how a step has ended. */
const OUTCOMES = new Set(['outcome', 'conclusion', 'status', 'state', 'success', 'failed', 'exit_code', 'exitCode']);

/** What other languages call the length of a text or a list. */
const SIZES = new Set(['length', 'len', 'count', 'size']);

/** Functions of other languages are often fields there. */
function insteadOfField(of: string, { is }: Type, name: string): string {
  if (SIZES.has(name) && (is === 'text' || is === 'list' || is === 'map')) return `\`size(${of})\``;
  const foreign = is === 'text' || is === 'list' ? foreignFunction(name) : undefined;
  return foreign && 'instead' in foreign ? `\`${foreign.instead}\`` : `\`${of}\` alone`;
}
