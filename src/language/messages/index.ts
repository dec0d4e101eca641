/**
 * Every sentence the language says about a file, in one place. Facts come in as arguments, sentences go out; codes are
 * stable, for tools. Lower-case, concrete, and the end says what to do.
 */
import type { FieldSchema } from '../../domain/model.ts';
import type { CodeProblem } from '../cel.ts';
import type { Message } from '../findings.ts';
import type { Product } from '../instance-counts.ts';
import type { Type } from '../types.ts';

const error = (code: string, message: string): Message => ({ code, message });
const warning = (code: string, message: string): Message => ({ code, message, severity: 'warning' });

/** Keys of the language that a later version brings. Never silently ignored. */
const TO_COME: Readonly<Record<string, string>> = {
  pick: '`pick` steps are',
  approve: '`approve` steps are',
  cut: '`cut` steps are',
  uses: '`uses` steps are',
  takes: '`takes` is',
  zip: '`zip` is',
  budget: '`budget` is',
  retry: '`retry` is',
  concurrency: '`concurrency` is',
  publish: '`publish` is',
  pin: '`pin` is',
  take: '`take` is',
};

/** What the messages say of a kind of step (`kinds/kind.ts`). */
interface KindNames {
  readonly key: string;
  readonly does: string;
  readonly called: string;
  readonly insteadOf?: { readonly [key: string]: string };
}

export const messages = {
  // ---- the text
  notUtf8: () => error('not-utf8', 'the file is not UTF-8 text; save it as UTF-8'),
  emptyFile: () => error('empty-file', 'the file is empty; start it with `shotlist: 1`, a `name` and `steps`'),
  notAMapping: () => error('not-a-mapping', 'a pipeline is a mapping; start the file with `shotlist: 1`'),
  oldYaml: (version: string) =>
    error(
      'yaml-version',
      `YAML ${version} reads \`9:16\` as the number 556 and \`off\` as false; take the %YAML line out (files are YAML 1.2)`,
    ),
  secondDocument: () =>
    error('second-document', 'a file holds one pipeline; put what follows this line into a file of its own'),
  tab: () => error('tab', 'a tab in the indentation; indent with spaces'),
  unquotedExpression: (text: string) =>
    error(
      'unquoted-expression',
      `inside [ ] and { } an expression must be quoted; write "${text.replaceAll('"', "'")}"`,
    ),
  colonInText: () => error('colon-in-text', 'a text that holds `: ` must be quoted; put "…" around the whole text'),
  colonInExpression: (text: string) =>
    error(
      'colon-in-text',
      `an expression that holds \`: \` must be quoted; write ${text.includes("'") ? `"${text.replaceAll('"', "'")}"` : `'${text}'`}`,
    ),
  reservedStart: (character: string) =>
    error('reserved-start', `a text cannot start with \`${character}\`; put "…" around the whole text`),
  badIndent: () => error('bad-indent', 'this line is indented unlike its neighbours; line up the keys of one mapping'),
  keyWithoutColon: () => error('missing-colon', 'a key needs a colon; write `key: value`'),
  openQuote: () => error('open-quote', 'a quoted text is never closed; add the closing quote'),
  openBracket: (close: string) =>
    error(
      'open-bracket',
      `a \`${close === '}' ? '{' : '['}\` is never closed; add \`${close}\`, and indent what stands between them`,
    ),
  missingComma: () => error('missing-comma', 'entries are not separated; put a comma between them'),
  commentBlank: () =>
    error('comment-blank', 'a `#` right behind a value; put a blank before a remark, or "…" around the text'),
  colonBlank: () => error('colon-blank', 'a colon needs a blank behind it; write `key: value`'),
  starInText: () =>
    error('star-in-text', 'a text that starts with `*` is read as an alias; put "…" around the whole text'),
  textAfterEnd: () => error('text-after-end', 'text follows where the value has ended; put "…" around the whole text'),
  badYaml: (message: string) =>
    error('yaml', `${lowerFirst(message.split(' at line ')[0]!.replace(/[:\s]+$/, ''))}; this is not valid YAML`),
  tooDeep: (limit: number) => error('too-deep', `nested deeper than ${limit} levels; flatten it`),
  keyNotText: () => error('key-not-text', 'a key must be a plain text; lists and mappings cannot be keys'),
  protoKey: () => error('reserved-key', '`__proto__` cannot be a key; choose another name'),
  mergeKey: () =>
    error('merge-key', '`<<` is not merged in YAML 1.2; write the keys out, or put what steps share under `defaults:`'),
  duplicateKey: (name: string) => error('duplicate-key', `\`${name}\` is declared twice; keep one`),
  firstHere: 'first declared here',
  unknownAnchor: (name: string, known: readonly string[]) =>
    error(
      'unknown-anchor',
      `\`*${name}\` has no anchor \`&${name}\` above it; ${known.length > 0 ? `anchors are ${and(known)}` : 'declare it first, or quote the text if it is no alias'}`,
    ),
  selfAlias: (name: string) =>
    error('self-alias', `\`*${name}\` stands inside its own anchor; a value cannot hold itself`),
  aliasBomb: (limit: number) =>
    error('alias-bomb', `aliases multiply to more than ${limit} values; write fewer of them`),
  unknownTag: (tag: string) =>
    error('unknown-tag', `the tag \`${tag.replace('tag:yaml.org,2002:', '!!')}\` means nothing here; take it out`),
  notFinite: () => error('not-finite', 'infinity and not-a-number cannot be sent; give a number'),
  tooBigToBeExact: () =>
    error(
      'inexact-number',
      'this whole number is too big to be exact (beyond ±9007199254740991); quote it if it is a text, or use a smaller one',
    ),

  // ---- the shape
  isToCome: (key: string) => own(TO_COME, key) !== undefined,
  notYet: (key: string) =>
    error('not-yet', `${own(TO_COME, key) ?? `\`${key}\` is`} not in this version yet; take it out`),
  unknownKey: (key: string, path: readonly string[], near: string | undefined, known: readonly string[]) => {
    if (own(TO_COME, key) !== undefined) return messages.notYet(key);
    return error(
      'unknown-key',
      `${place(path)} has no key \`${key}\`; ${near ? `did you mean \`${near}\`?` : `it can have ${and(known)}`}`,
    );
  },
  commaInText: (key: string) =>
    error(
      'comma-in-text',
      `inside { } a comma ends the text, so \`${key}\` is read as a key; put "…" around the whole text`,
    ),
  /** A key that steps of other kinds have. */
  keyOfOtherKind: (key: string, path: readonly string[], kind: KindNames, owners: readonly KindNames[]) => {
    const other = owners.find(owner => owner.key === key);
    if (other)
      return error(
        'two-kinds',
        `${place(path)} has \`${key}\` and \`${kind.key}\`; a step is ${other.does} or ${kind.does}, so keep one`,
      );
    const instead = own(kind.insteadOf ?? {}, key);
    return error(
      'unknown-key',
      `${place(path)} is ${kind.called} and takes no \`${key}\`${instead ? `; ${instead}` : `, which is for ${or(owners.map(owner => code(owner.key)))}; take it out`}`,
    );
  },
  missingKind: (path: readonly string[], kinds: readonly KindNames[]) =>
    error(
      'missing-key',
      `${place(path)} does nothing; give it ${or(kinds.map(({ key, does }) => `a \`${key}\` (${does})`))}`,
    ),
  missingKey: (key: string, path: readonly string[]) =>
    key === 'shotlist'
      ? error(
          'missing-key',
          'the file does not say which version of the language it is in; start it with `shotlist: 1`',
        )
      : error('missing-key', `${place(path)} needs \`${key}\`; add it`),
  wrongVersion: (given: string) =>
    error('wrong-version', `this build knows version 1 of the language, not ${given}; write \`shotlist: 1\``),
  wrongShape: (label: string, types: readonly string[], given: string) =>
    error('wrong-type', `\`${label}\` is ${given === 'nothing' ? 'empty' : given}; it must be ${shapeName(types)}`),
  notOneOf: (label: string, allowed: readonly (string | number | boolean)[], given: string, near: string | undefined) =>
    error(
      'not-one-of',
      `\`${label}\` is ${given}; ${near ? `did you mean \`${near}\`?` : `it must be ${or(allowed.map(code))}`}`,
    ),
  tooSmall: (label: string, minimum: number, given: number) =>
    error('out-of-range', `\`${label}\` is ${given}; it must be at least ${minimum}`),
  tooLong: (label: string, limit: number, given: number) =>
    error('too-long', `\`${label}\` has ${given} characters; at most ${limit} are allowed`),
  emptyText: (label: string) => error('empty', `\`${label}\` is empty; give it a text`),
  emptyCollection: (label: string) => error('empty', `\`${label}\` is empty; put something in`),
  badName: (name: string, pattern: string, path: readonly string[]) =>
    error(
      'bad-name',
      pattern.includes('A-Z')
        ? `\`${name}\` cannot name a variable; use letters, digits and underscores, no digit first`
        : `\`${name}\` cannot be a name in ${place(path)}; use small letters, digits and underscores, a letter first${suggestName(name)}`,
    ),
  notADuration: (text: string) =>
    error(
      'not-a-duration',
      `${quoted(text)} is not a duration; write a number and its unit, like \`90s\`, \`5m\` or \`1.5h\``,
    ),

  noTime: (text: string) =>
    error('no-time', `${quoted(text)} is over before anything has begun; give it some time, like \`10m\``),
  tooMuchTime: (text: string, hours: number) =>
    error(
      'too-much-time',
      `${quoted(text)} is longer than a year (${hours}h); give less, or take it out to wait for as long as it takes`,
    ),

  // ---- params
  paramBounds: (name: string, low: string, high: string) =>
    error('param-bounds', `\`${name}\` can take no value: ${low} is above ${high}`),
  paramDefaultExpression: (name: string) =>
    error('param-default', `the default of \`${name}\` must be a plain value; expressions go where the param is used`),
  paramKeyMisfit: (key: string, type: string) =>
    error('param-key', `\`${key}\` says nothing about a param of type \`${type}\`; take it out`),
  paramEnumMisfit: (name: string, type: string, value: string | number) =>
    error(
      'param-enum',
      `${quoted(value)} is not ${TYPE_NAMES[type] ?? type}, so \`${name}\` can never be it; take it out`,
    ),

  // ---- names
  unknownModel: (name: string, near: string | undefined) =>
    error(
      'unknown-model',
      `no model is called \`${name}\`; ${near ? `did you mean \`${near}\`?` : 'use a label (`V-T2V-A`), a name from `models:`, or an id of the catalog (`vendor/name`)'}`,
    ),
  activatedLabel: (label: string) =>
    error(
      'base-model',
      `\`${label}\` is a base model, which is always active; take \`activate\` out, or give the id of a custom model`,
    ),
  computedModel: () => error('computed-model', 'a model is named, not computed; write its label'),
  badRepository: (given: string) =>
    error('bad-repository', `a repository is written \`namespace/name\`, not ${quoted(given)}; write both parts`),
  missingParts: (names: readonly string[], called: string) =>
    error('missing-field', `${called} needs ${and(names)}; add ${names.length === 1 ? 'it' : 'them'}`),
  promptBesideMessages: (name: string) =>
    error('prompt-beside-messages', `\`${name}\` stands for \`messages\`, and those are given too; keep one of them`),
  systemAlone: () =>
    error('system-alone', '`system` sets the tone, but nothing is asked; add a `prompt`, or write `messages`'),
  computedSchema: () => error('computed-schema', 'a schema is written, not computed; take the expression out'),
  schemaOfMedia: (label: string, produces: string) =>
    error('schema-of-media', `${label} makes ${a(produces)}, not text; \`schema\` is for chat models, so take it out`),
  syncChat: (label: string) =>
    error('via-chat', `${label} is a chat model, and chat is always answered at once; take \`via\` out`),
  unknownStep: (step: string, name: string, near: string | undefined) =>
    error(
      'unknown-step',
      `${subject(step)} reads \`steps.${name}\`, which no step provides${near ? `; did you mean \`${near}\`?` : '; check the name'}`,
    ),
  unknownNeed: (step: string, name: string, near: string | undefined) =>
    error(
      'unknown-step',
      `step \`${step}\` needs \`${name}\`, which no step provides${near ? `; did you mean \`${near}\`?` : '; check the name'}`,
    ),
  needsName: (text: string) =>
    error('needs-name', `\`needs\` takes names of steps, not ${quoted(text)}; write the name alone`),
  selfReference: (step: string) =>
    error('self-reference', `step \`${step}\` reads its own result; a step can only read others`),
  selfNeed: (step: string) => error('self-reference', `step \`${step}\` waits for itself; take it out of \`needs\``),
  cycle: (steps: readonly string[]) =>
    error('cycle', `steps wait for each other: ${[...steps, steps[0]].join(' → ')}; take one of these references out`),
  cycleNote: (from: string, to: string) => `\`${from}\` waits for \`${to}\` here`,
  unknownRoot: (name: string, near: string | undefined, isStep: boolean, isParam: boolean) =>
    error(
      'unknown-name',
      `expressions do not know \`${name}\`; ${isStep ? `write \`steps.${name}\`` : isParam ? `write \`params.${name}\`` : near ? `did you mean \`${near}\`?` : 'they can read `params`, `steps`, `matrix`, `each`, `run` and `env`'}`,
    ),
  bareRoot: (root: string) => error('bare-name', `\`${root}\` alone has no value; say which, like \`${root}.name\``),
  unknownParam: (name: string, near: string | undefined, known: readonly string[]) =>
    error(
      'unknown-param',
      `no param is called \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `there are ${and(known)}` : 'declare it under `params:`'}`,
    ),
  unknownAxis: (name: string, step: string, near: string | undefined, known: readonly string[]) =>
    error(
      'unknown-axis',
      `the matrix of \`${step}\` has no axis \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
    ),
  noMatrix: (step: string) =>
    error(
      'no-matrix',
      `${subject(step)} has no \`matrix\`, so \`matrix\` has no value here; add one, or read \`params\``,
    ),
  noEach: (step: string) =>
    error(
      'no-each',
      `${subject(step)} has no \`each\`, so \`each\` has no value here; add \`each: \${{ steps.… }}\` or read \`steps\``,
    ),
  unknownVariable: (name: string, near: string | undefined) =>
    error(
      'unknown-variable',
      `the file does not declare the variable \`${name}\`; ${near ? `did you mean \`${near}\`?` : `add it: \`env: [${name}]\``}`,
    ),
  unknownRunField: (name: string) => error('unknown-field', `\`run\` has no \`${name}\`; it has \`id\` and \`name\``),
  unknownField: (name: string, of: string, called: string, near: string | undefined, known: readonly string[]) =>
    error(
      'unknown-field',
      `\`${of}\` (${called}) has no \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : 'it has none'}`,
    ),
  noFields: (of: string, type: Type, name: string) =>
    error('no-fields', `\`${of}\` is ${typeName(type)} and has no \`${name}\`; write \`${of}\` alone`),
  fieldOfFanOut: (step: string, field: string, coordinates: readonly string[]) =>
    error(
      'list-not-one',
      `step \`${step}\` is fanned out (${coordinates.join(', ')}), so it gives a list; use \`each: \${{ steps.${step} }}\` and \`each.${field}\`, or \`steps.${step}.map(s, s.${field})\` for all of them`,
    ),
  notKnownYet: (where: string, path: string) =>
    error('not-known-yet', `${where} must be known before the run, and \`${path}\` is not; read \`params\``),

  // ---- expressions
  openExpression: () => error('open-expression', '`${{` is never closed; add `}}`'),
  emptyExpression: () =>
    error('empty-expression', 'an empty expression has no value; write something between `${{` and `}}`'),
  codeProblem: ({ kind, message }: CodeProblem) => {
    switch (kind) {
      case 'matches':
        return error(
          'not-offered',
          '`matches` is not offered, a pattern can take hours; use `contains`, `startsWith`, `endsWith` or `in`',
        );
      case 'nesting':
        return error('too-deep', 'loops inside loops inside loops take too long; nest at most two');
      case 'variable':
        return error('bad-name', 'the variable of a loop begins with a letter; choose another name');
      case 'length':
        return error('too-long', 'the expression is longer than 4000 characters; split it');
      case 'syntax':
        return error('bad-expression', `${syntaxProblem(message)}; this is not a valid expression`);
    }
  },
  notJsonType: (type: string) =>
    error(
      'not-json',
      `this gives ${type === 'bytes' ? 'bytes' : a(type.split('.').at(-1)!.toLowerCase())}, which no field can hold; give a text or a number`,
    ),
  celProblem: (problem: string, summary: string, near: (name: string) => string | undefined) =>
    typeProblem(problem, summary, near),

  // ---- values
  emptyField: (called: string) => error('empty', `${called} is empty; give it a value or take it out`),
  wrongType: (called: string, schema: FieldSchema, given: string) =>
    error('wrong-type', `${called} takes ${takes(schema)}, not ${given}; give one plain value`),
  textForField: (called: string, schema: FieldSchema) =>
    error(
      'wrong-type',
      `${called} takes ${takes(schema)}, but an expression with text around it gives text; leave only the expression`,
    ),
  wrongLiteral: (called: string, schema: FieldSchema, value: boolean | number | string) =>
    error('wrong-type', `${called} takes ${takes(schema)}, not ${quoted(value)}${hint(schema, value)}`),
  notInEnum: (
    called: string,
    allowed: readonly (string | number)[],
    value: string | number,
    near: string | number | undefined,
  ) =>
    error(
      'not-one-of',
      `${called} cannot be ${quoted(value)}; ${near !== undefined ? `did you mean ${quoted(near)}? ` : ''}it takes ${or(allowed.map(quoted))}`,
    ),
  outOfRange: (called: string, { minimum, maximum }: FieldSchema, value: number) =>
    error(
      'out-of-range',
      `${called} is ${value}; it must be ${
        minimum !== undefined && maximum !== undefined
          ? `${minimum} to ${maximum}`
          : minimum !== undefined
            ? `at least ${minimum}`
            : `at most ${maximum}`
      }`,
    ),
  outOfBound: (called: string, broken: { readonly atLeast: string } | { readonly atMost: string }, value: string) =>
    error(
      'out-of-range',
      `${called} is ${quoted(value)}; it must be ${'atLeast' in broken ? `at least ${broken.atLeast}` : `at most ${broken.atMost}`}`,
    ),
  textTooLong: (called: string, limit: number, length: number) =>
    error(
      'too-long',
      `${called} has ${length} characters; at most ${limit} are allowed, so shorten it by ${length - limit}`,
    ),
  textTooShort: (called: string, limit: number, length: number) =>
    error('too-short', `${called} has ${length} characters; at least ${limit} are needed`),
  tooManyItems: (called: string, limit: number, length: number) =>
    error('too-many', `${called} has ${length} entries; at most ${limit} are allowed`),
  notInText: (source: string, type: Type) =>
    error(
      'not-in-text',
      `\`${source}\` is ${typeName(type)} and cannot stand inside a text; ${
        type.is === 'list'
          ? 'pick one (`[0]`) or `join` them'
          : type.is === 'record'
            ? `read one of its fields, like ${fieldOf(source, type)}`
            : 'give one plain value'
      }`,
    ),
  typeGiven: (called: string, schema: FieldSchema, type: Type) =>
    error('wrong-type', `${called} takes ${takes(schema)}, but this is ${typeName(type)}${convert(schema, type)}`),
  listGiven: (called: string, schema: FieldSchema, type: Type) =>
    error(
      'wrong-type',
      `${called} takes ${takes(schema)}, but this is ${typeName(type)}; use \`each\` to make one for each, or pick one with \`[0]\``,
    ),
  needsList: (called: string, schema: FieldSchema, type: Type) =>
    error(
      'wrong-type',
      `${called} takes ${takes(schema)}, but this is ${typeName(type)}; put it in a list: \`["\${{ … }}"]\``,
    ),
  recordForMedia: (called: string, type: Type) =>
    error(
      'wrong-type',
      `${called} takes an address, but this is ${typeName(type)}; add \`${type.is === 'record' && type.cel === 'MediaResult' ? '.result_url' : '.file'}\``,
    ),
  notMedia: (called: string, kind: string | undefined) =>
    error(
      'wrong-kind',
      `${called} takes the address of ${a(kind ?? 'medium')}, but this leads to none; read \`result_url\``,
    ),
  wrongKind: (called: string, wanted: string, given: string) =>
    error(
      'wrong-kind',
      `${called} takes ${a(wanted)}, but this is ${a(given)}; give it a step that makes ${a(wanted)}`,
    ),
  wrongSourceKind: (called: string, wanted: string, given: string) =>
    error('wrong-kind', `${called} takes ${a(wanted)}, but this name ends like ${a(given)}; give it ${a(wanted)}`),
  absolutePath: (path: string) =>
    error('absolute-path', `${quoted(path)} is not relative; give a path relative to the file, or an https:// address`),
  badScheme: (scheme: string) =>
    error('bad-scheme', `\`${scheme}:\` cannot be read; give an https:// address or a path relative to the file`),
  badAddress: (text: string) => error('bad-address', `${quoted(text)} is not a complete address; check it`),
  plainHttp: () => error('plain-http', '`http://` can be read and changed on its way; use `https://`'),
  usedHere: 'used here',

  // ---- steps
  unknownRequestField: (name: string, model: string, near: string | undefined, known: readonly string[]) =>
    error(
      'unknown-field',
      `${model} has no field \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
    ),
  undocumentedField: (name: string, model: string) =>
    warning(
      'undocumented-field',
      `${model} is not known to have a field \`${name}\`; it is sent as it is, the service may refuse it`,
    ),
  missingFields: (names: readonly string[], model: string) =>
    error('missing-field', `${model} needs ${and(names)}; add ${names.length === 1 ? 'it' : 'them'} under \`with\``),
  refused: (model: string, reason: string) => error('refused-combination', `${model}: ${lowerFirst(reason)}`),
  unusedDefault: (name: string, near: string | undefined) =>
    warning(
      'unused-default',
      `no model in this file has a field \`${name}\`, so this default does nothing; ${near ? `did you mean \`${near}\`?` : 'take it out'}`,
    ),
  ifNotBool: (type: Type) =>
    error('wrong-type', `\`if\` takes true or false, but this is ${typeName(type)}; compare it with something`),
  ifText: () => error('wrong-type', '`if` takes one expression that is true or false; write `if: ${{ … }}`'),
  expressionInScript: () =>
    error(
      'expression-in-script',
      'a script never gets values pasted in; put the expression under `env:` and use the variable in the script',
    ),
  shellWithArgv: () =>
    error('shell-with-argv', '`shell` is for scripts, and `run` is a list of arguments; take `shell` out'),
  argumentNotScalar: (type: Type, source: string) =>
    error(
      'wrong-type',
      `an argument is one plain value, but this is ${typeName(type)}; ${type.is === 'record' ? `read one of its fields, like ${fieldOf(source, type)}` : 'pick one or `join` them'}`,
    ),
  fileNotMedia: (type: Type) =>
    error(
      'wrong-type',
      `a file is a result, an address or a path, but this is ${typeName(type)}; give a step's result`,
    ),
  pathLeaves: (path: string) =>
    error('path-leaves', `${quoted(path)} leads out of its folder; use a relative path without \`..\``),
  sameFileTwice: (path: string) => error('same-path', `${quoted(path)} is created twice; give each file its own path`),

  // ---- fan-out
  eachShape: () => error('each-shape', '`each` takes a whole step; write `each: ${{ steps.name }}`'),
  eachName: (name: string) =>
    error('each-shape', `\`each\` takes an expression; write \`each: \${{ steps.${name} }}\``),
  eachOfSingle: (step: string) =>
    error(
      'each-of-single',
      `step \`${step}\` is not fanned out, so there is only one; take \`each\` out and read \`steps.${step}\` directly`,
    ),
  axisTaken: (name: string, step: string) =>
    error(
      'axis-taken',
      `the axis \`${name}\` comes already from \`${step}\` through \`each\`; give this one another name`,
    ),
  axisNotList: (name: string, type: Type) =>
    error('wrong-type', `the axis \`${name}\` takes a list, but this is ${typeName(type)}; write \`[…]\``),
  axisText: (name: string) =>
    error(
      'wrong-type',
      `the axis \`${name}\` takes a list or one expression that gives a list; write \`${name}: […]\``,
    ),
  axisValue: (name: string, type: Type) =>
    error(
      'wrong-type',
      `a value of the axis \`${name}\` must be a text, a number, true or false, but this is ${typeName(type)}`,
    ),
  repeatedValue: (name: string, value: string) =>
    error('repeated-value', `the axis \`${name}\` has ${value} twice, and two instances would share one key; keep one`),
  unknownCombinationAxis: (name: string, near: string | undefined, known: readonly string[]) =>
    error(
      'unknown-axis',
      `the matrix has no axis \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
    ),
  incompleteCombination: (missing: readonly string[]) =>
    error('missing-axis', `a combination names every axis; add ${and(missing)}`),
  excludeNothing: (name: string, value: string, near: string | undefined) =>
    error(
      'exclude-nothing',
      `the axis \`${name}\` never is ${value}, so nothing is left out; ${near ? `did you mean \`${near}\`?` : 'use one of its values'}`,
    ),
  tooManyInstances: (step: string, product: Product, count: number, most: number) =>
    error(
      'too-many-instances',
      `step \`${step}\` would have ${written(product)} = ${grouped(count)} instances, and a step has at most ${grouped(most)}; take values out, or make it several films`,
    ),
  filmTooLarge: (step: string, count: number, most: number) =>
    error(
      'too-many-instances',
      `with step \`${step}\` the film would have ${grouped(count)} instances, and a film has at most ${grouped(most)}; make it several films`,
    ),
  noAxes: () => error('empty', '`matrix` has no axis and no `include`; give it an axis'),

  // ---- outputs
  outputFrom: () =>
    error(
      'output-from',
      '`from` takes a step, or one file of a command; write `${{ steps.name }}` or `${{ steps.name.files.name }}`',
    ),
  outputFromField: (step: string) =>
    error('output-from', `\`from\` takes the whole result; write \`\${{ steps.${step} }}\``),
  outputWhichFile: (step: string, files: readonly string[]) =>
    error(
      'output-file',
      files.length === 0
        ? `step \`${step}\` creates no files; declare them under \`creates:\``
        : `step \`${step}\` is a command; say which of its files: ${or(files.map(file => `\`\${{ steps.${step}.files.${file} }}\``))}`,
    ),
  saveWhichFile: (files: readonly string[]) =>
    error(
      'output-file',
      files.length === 0
        ? '`save` needs a file to save, and this command creates none; declare it under `creates:`'
        : '`save` cannot tell which of these files is meant; name them under `outputs:`',
    ),
  outputExpression: () =>
    error('output-to', 'a path holds no expressions; name coordinates in braces, like `out/film-{ratio}.mp4`'),
  outputBraces: (path: string) => error('output-to', `the braces of ${quoted(path)} do not match; write \`{name}\``),
  outputPath: (path: string) =>
    error(
      'path-leaves',
      `${quoted(path)} is not a file inside the project; use a relative path without \`..\`, like \`out/film.mp4\``,
    ),
  outputCharacter: (path: string) =>
    error(
      'output-path',
      `${quoted(path.replaceAll(/\p{Cc}/gu, '�'))} holds a character that no file name can; take it out`,
    ),
  outputNameTooLong: (name: string, bytes: number, most: number) =>
    error('output-path', `the name ${quoted(name)} has ${bytes} bytes, and a file system takes ${most}; shorten it`),
  outputDevice: (name: string) =>
    error('output-path', `${quoted(name)} is a device on Windows, not a file; choose another name`),
  outputFolder: (path: string, folder: string, instead: string) =>
    error(
      'output-path',
      `${quoted(path)} lies in \`${folder}\`, which belongs to other tools; write it elsewhere, like \`${instead}\``,
    ),
  outputHidden: (path: string, instead: string) =>
    error(
      'output-path',
      `${quoted(path)} is a hidden file, as tools keep them; write it elsewhere, like \`${instead}\``,
    ),
  outputPipeline: (path: string) =>
    error('output-path', `${quoted(path)} has the pipeline's own name, and could take its place; give it another`),
  outputTaken: (path: string, name: string, instead: string) =>
    error(
      'output-path',
      `${quoted(path)} would take the place of a file that tools read (\`${name}\`); write it elsewhere${instead === `out/${name}` ? '' : `, like \`${instead}\``}, under another name`,
    ),
  outputIsFolder: (path: string, other: string) =>
    error(
      'output-path',
      `${quoted(path)} lies inside ${quoted(other)}, which is an output too and cannot be a folder; give it another name`,
    ),
  outputExtension: (path: string, ending: string, promised: string, made: string) =>
    error(
      'output-extension',
      `${quoted(path)} ends like ${a(promised)}, and this is ${a(made)}; give it ${made === 'text' ? 'an ending of texts' : `the ending of ${a(made)}`}, like \`${ending}\``,
    ),
  unknownPlaceholder: (name: string, step: string, near: string | undefined, coordinates: readonly string[]) =>
    error(
      'unknown-placeholder',
      `step \`${step}\` has no coordinate \`${name}\`; ${near ? `did you mean \`{${near}}\`?` : coordinates.length > 0 ? `it has ${and(coordinates)}` : 'it is not fanned out, so take the braces out'}`,
    ),
  collision: (step: string, missing: readonly string[]) =>
    error(
      'output-collision',
      `step \`${step}\` has one result for each ${missing.map(name => `\`${name}\``).join(' and ')}, and all would be written to one path; add ${and(missing.map(name => `{${name}}`))}`,
    ),
  savedTwice: (step: string) => error('saved-twice', `step \`${step}\` is saved here and under \`outputs\`; keep one`),
  alsoHere: 'and here',
  samePath: (path: string) => error('same-path', `two outputs write ${quoted(path)}; give each its own path`),

  // ---- evaluation
  missingValue: (path: string) => `\`${path}\` has no value`,
  textTooBig: (limit: number) => `the text would be longer than ${limit} characters`,
  notScalar: (source: string, given: string) => `${quoted(source)} gave ${given}, which cannot stand inside a text`,
  notJson: (source: string) => `${quoted(source)} gave something that is no JSON; convert it with \`string(…)\``,
  tooBigResult: (source: string) => `${quoted(source)} gave a whole number too big to be exact`,
  wentWrong: (source: string, summary: string) => `${quoted(source)}: ${lowerFirst(summary)}`,
};

export const typeName = (type: Type): string => {
  switch (type.is) {
    case 'any':
    case 'wrong':
      return 'anything';
    case 'null':
      return 'nothing';
    case 'bool':
      return 'true or false';
    case 'int':
      return 'a whole number';
    case 'double':
      return 'a number';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none'
        ? `the address of ${a(type.leadsTo === 'media' ? 'medium' : type.leadsTo)}`
        : 'a text';
    case 'list':
      return `a list of ${plural(type.of)}`;
    case 'map':
      return 'a mapping';
    case 'record':
      return type.called;
  }
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  array: 'a list',
  object: 'a mapping',
  duration: 'a duration like `90s`',
};

function shapeName(types: readonly string[]): string {
  if (['string', 'number', 'boolean'].every(type => types.includes(type)) && !types.includes('object'))
    return 'one plain value';
  return or(unique(types.map(type => TYPE_NAMES[type] ?? type)));
}

function takes(schema: FieldSchema): string {
  if (schema.type === 'array') return schema.items ? `a list of ${takesMany(schema.items)}` : 'a list';
  if (schema.media) return `the address of ${a(schema.media.kind)}`;
  if (schema.format === 'uri') return 'an address';
  return TYPE_NAMES[schema.type] ?? schema.type;
}

const takesMany = (schema: FieldSchema): string =>
  schema.media
    ? `addresses of ${schema.media.kind === 'audio' ? 'audio' : `${schema.media.kind}s`}`
    : schema.format === 'uri'
      ? 'addresses'
      : (
          {
            string: 'texts',
            integer: 'whole numbers',
            number: 'numbers',
            boolean: 'true or false',
            array: 'lists',
            object: 'mappings',
          } as const
        )[schema.type];

function plural(type: Type): string {
  switch (type.is) {
    case 'int':
      return 'whole numbers';
    case 'double':
      return 'numbers';
    case 'text':
      return type.leadsTo && type.leadsTo !== 'none' ? 'addresses' : 'texts';
    case 'record':
      return type.called.replace(/^an? (.*)result$/, '$1results').replace(/^an? (.*)$/, '$1');
    case 'list':
      return 'lists';
    case 'any':
    case 'wrong':
      return 'anything';
    default:
      return typeName(type);
  }
}

function hint(schema: FieldSchema, value: boolean | number | string): string {
  if (
    typeof value === 'string' &&
    /^-?\d+(\.\d+)?$/.test(value.trim()) &&
    (schema.type === 'number' || schema.type === 'integer')
  )
    return `; write ${value.trim()} without quotes`;
  if (
    typeof value === 'string' &&
    /^-?\d+(\.\d+)?\s*(s|sec|seconds)$/i.test(value) &&
    (schema.type === 'number' || schema.type === 'integer')
  )
    return `; write ${Number.parseFloat(value)}`;
  if (typeof value === 'string' && schema.type === 'boolean' && /^(yes|on|no|off)$/i.test(value))
    return `; write ${/^(yes|on)$/i.test(value)}`;
  if (typeof value !== 'string' && schema.type === 'string') return `; write "${value}" with quotes`;
  if (schema.type === 'array') return '; put it in a list: [ … ]';
  if (typeof value === 'number' && schema.type === 'integer') return `; write ${Math.round(value)}`;
  return '; change it';
}

function convert(schema: FieldSchema, type: Type): string {
  if (schema.type === 'string' && (type.is === 'int' || type.is === 'double' || type.is === 'bool'))
    return '; write `string(…)` around it';
  if (schema.type === 'integer' && (type.is === 'double' || type.is === 'text')) return '; write `int(…)` around it';
  if (schema.type === 'number' && type.is === 'text') return '; write `double(…)` around it';
  return '; read something else';
}

/** CEL's own words for what it meets, in ours. */
const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  BOOLEAN: 'true or false',
  NULL: 'null',
  DOT: '`.`',
  COMMA: '`,`',
  COLON: '`:`',
  QUESTION: '`?`',
  LPAREN: '`(`',
  RPAREN: '`)`',
  LBRACKET: '`[`',
  RBRACKET: '`]`',
  LBRACE: '`{`',
  RBRACE: '`}`',
};

function syntaxProblem(summary: string): string {
  const token = (name: string): string => own(TOKENS, name) ?? `\`${name.toLowerCase()}\``;
  const unexpected = /^Unexpected token: (\w+)$/.exec(summary)?.[1];
  if (unexpected === 'EOF') return 'it ends too early';
  if (unexpected) return `${token(unexpected)} does not fit here`;
  const expected = /^Expected (\w+), got (\w+)$/.exec(summary);
  if (expected?.[1] && expected[2])
    return `expected ${token(expected[1])}, but ${expected[2] === 'EOF' ? 'it ends' : `there is ${token(expected[2])}`}`;
  if (/^Exceeded max/.test(summary)) return 'it is nested too deeply';
  return lowerFirst(summary);
}

/** CEL's own words for its types, in ours. */
const celType = (type: string): string => {
  const item = /^list<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return 'a list';
  if (type.startsWith('map')) return 'a mapping';
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    int: 'a whole number',
    double: 'a number',
    bool: 'true or false',
    dyn: 'anything',
    list: 'a list',
    null: 'nothing',
    undefined: 'what has no type here',
    MediaResult: 'a result',
    TextResult: 'a text result',
    Usage: 'the usage of a chat',
    CommandResult: 'the result of a command',
    CommandFile: 'a file of a command',
    Media: 'media facts',
  };
  return own(names, type) ?? type;
};

function typeProblem(problem: string, summary: string, near: (name: string) => string | undefined): Message {
  const operator = /^no such overload: (.+) (\S+) (.+)$/.exec(summary);
  if (operator?.[1] && operator[2] && operator[3])
    return error(
      'bad-operation',
      `\`${operator[2]}\` does not work between ${celType(operator[1])} and ${celType(operator[3])}; convert one of them`,
    );
  const unary = /^no such overload: ([!-])(.+)$/.exec(summary);
  if (unary?.[1] && unary[2])
    return error('bad-operation', `\`${unary[1]}\` does not work on ${celType(unary[2])}; change it`);
  const field = /^No such key: (.*)$/.exec(summary)?.[1];
  if (field !== undefined) {
    const meant = near(field);
    return error(
      'unknown-field',
      `this has no \`${field}\`; ${meant ? `did you mean \`${meant}\`?` : 'check the name'}`,
    );
  }
  const variable = /^Unknown variable: (.*)$/.exec(summary)?.[1];
  if (variable !== undefined) return error('unknown-name', `expressions do not know \`${variable}\`; check the name`);
  const call = /^found no matching overload for '(?:(.*)\.)?([A-Za-z_]\w*)\((.*)\)'$/.exec(summary);
  if (call?.[2] !== undefined) {
    const given = call[3] ? ` that takes ${and(call[3].split(', ').map(celType), false)}` : '';
    return error(
      'bad-call',
      `${call[1] ? `${celType(call[1])} has` : 'there is'} no \`${call[2]}(…)\`${given}; check the function and what it is given`,
    );
  }
  const branches = /got '(.*)' and '(.*)'$/.exec(summary);
  if (problem === 'incompatible_ternary_branches' && branches?.[1] && branches[2])
    return error(
      'bad-operation',
      `both sides of \`:\` must give the same, but one is ${celType(branches[1])} and one ${celType(branches[2])}; convert one of them`,
    );
  const got = /, got '(.*)'$/.exec(summary)?.[1];
  if (problem === 'invalid_condition_type' && got)
    return error(
      'bad-operation',
      `before \`?\` stands what is true or false, but this is ${celType(got)}; compare it with something`,
    );
  if (problem === 'invalid_logical_operand' && got)
    return error(
      'bad-operation',
      `\`&&\` and \`||\` join what is true or false, but one side is ${celType(got)}; compare it with something`,
    );
  // The type of a loop's own loop is not always known to it.
  const said = lowerFirst(summary).replaceAll("type 'undefined'", 'a value whose type is not known here');
  return error('bad-expression', `${said}; change the expression`);
}

function fieldOf(source: string, type: Type): string {
  const field =
    type.is === 'record' ? (type.fields.has('result_url') ? 'result_url' : type.fields.keys().next().value) : undefined;
  return `\`${source}.${field ?? 'name'}\``;
}

function place(path: readonly string[]): string {
  const [section, name, ...rest] = path;
  if (section === undefined) return 'the file';
  if (name === undefined) return `\`${section}\``;
  const nouns: Readonly<Record<string, string>> = { steps: 'step', params: 'param', outputs: 'output' };
  const noun = own(nouns, section);
  if (!noun) return `\`${path.join('.')}\``;
  return rest.length === 0 ? `${noun} \`${name}\`` : `\`${rest.join('.')}\` of ${noun} \`${name}\``;
}

/** An expression stands in a step, or (outputs) in none. */
const subject = (step: string): string => (step === '' ? 'this' : `step \`${step}\``);

function suggestName(name: string): string {
  const better = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
  return better !== '' && better !== name ? `, like \`${better}\`` : '';
}

/** `8 of \`shot\` × 1,000 × 1,000 + 2` */
function written({ each, axes, include }: Product): string {
  const own = axes.map(({ count }) => grouped(count)).join(' × ');
  const cells = include === 0 ? own : own === '' ? grouped(include) : `${own} + ${grouped(include)}`;
  if (!each) return cells;
  const from = `${grouped(each.count)} of \`${each.step}\``;
  return cells === '' ? from : `${from} × ${include > 0 && own !== '' ? `(${cells})` : cells}`;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
const a = (noun: string): string => (noun === 'audio' ? 'audio' : /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`);
const code = (value: string | number | boolean): string => `\`${value}\``;
const quoted = (value: string | number | boolean): string => {
  const text = String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
};
const unique = (items: readonly string[]): string[] => [...new Set(items)];
const lowerFirst = (text: string): string => (/^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text);

function listed(items: readonly string[], conjunction: string): string {
  if (items.length <= 1) return items[0] ?? 'nothing';
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;
}
const or = (items: readonly string[]): string => listed(items, 'or');
const and = (items: readonly string[], names = true): string => listed(names ? items.map(code) : items, 'and');
