/** A value of the file against the JSON Schema of the request field (or param) it is for. */
import type { Span } from '../../model/diagnostic.ts';
import { isUnencrypted } from '../../model/loopback.ts';
import { type FieldSchema, fieldOf, type MediaLimit, type Model } from '../../model/model.ts';
import type { ExpressionValue, ListValue, MapValue, TextValue, Value } from '../../model/pipeline.ts';
import type { Json } from '../../model/text/json.ts';
import { brokenBound } from '../../model/text/measure.ts';
import { nearest } from '../../model/text/nearest.ts';
import { messages } from '../messages/index.ts';
import type { ResolvedModel } from '../steps/model-references.ts';
import { kindOfPath, type Possible, type RecordType, type TextType, type Type } from '../types/types.ts';
import { type Names, pathOfName } from '../yaml/placeholders.ts';
import type { Findings, Message } from './findings.ts';
import { warnOfSecretsInWords } from './secret-uses.ts';

/** What the checkers of values need of the place where the values stand. */
export interface CheckContext {
  readonly findings: Findings;
  /** What a text that is no source may have meant. */
  readonly names?: Names | undefined;
  readonly typeOf: (expression: ExpressionValue) => Type;
}

/** Where a field is: what the messages need to know. */
interface Field extends CheckContext {
  /** `` `seed` of V-T2V-A ``: how messages call it. */
  readonly called: string;
}

export function checkField(value: Value, schema: FieldSchema, field: Field): void {
  const { findings, called } = field;
  switch (value.is) {
    case 'literal':
      checkLiteral(value.value, value.at, schema, field);
      break;
    case 'expression':
      checkType(field.typeOf(value), value.at, schema, field);
      break;
    case 'text':
      checkText(value, field);
      if (schema.type !== 'string') findings.add(messages.textForField(called, schema), value.at);
      break;
    case 'list':
      if (schema.type !== 'array') findings.add(messages.wrongType(called, schema, 'a list'), value.at);
      else checkItems(value, schema, field);
      break;
    case 'map':
      if (schema.type !== 'object')
        findings.add(bracedPath(value) ?? messages.wrongType(called, schema, 'a mapping'), value.at);
      else checkParts(value, schema, field);
  }
}

/** `{params.idea}` */
function bracedPath({ entries }: MapValue): Message | undefined {
  const [entry] = entries;
  const isPath = entries.length === 1 && /^(params|steps|matrix|each|env)\.[\w.]+$/.test(entry?.name ?? '');
  return isPath ? messages.bareExpression(entry?.name ?? '', `{${entry?.name}}`) : undefined;
}

/** A chat message: each part that the schema knows; the rest passes, because the document shows only some of them. */
function checkParts({ entries, at }: MapValue, { properties = {}, required = [] }: FieldSchema, field: Field): void {
  for (const { name, value } of entries) {
    const part = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const inside = { ...field, called: `\`${name}\` of ${field.called}` };
    const shape = part && ('anyOf' in part ? part.anyOf.find(option => couldBe(value, option)) : part);
    if (shape) checkField(value, shape, inside);
    else if (part && 'anyOf' in part) checkField(value, part.anyOf[0] ?? ANYTHING, inside);
    else checkExpressions(value, inside);
  }
  const missing = required.filter(name => !entries.some(entry => entry.name === name));
  if (missing.length > 0) field.findings.add(messages.missingParts(missing, field.called), at);
}

/** A list for a list; any plain value or expression for anything else. */
const couldBe = (value: Value, { type }: FieldSchema): boolean =>
  value.is === 'list'
    ? type === 'array'
    : value.is === 'map'
      ? type === 'object'
      : type !== 'array' && type !== 'object';

const ANYTHING: FieldSchema = { type: 'string' };

/** Where no schema is known, the expressions themselves still have to make sense. */
export function checkExpressions(value: Value, context: CheckContext): void {
  if (value.is === 'expression') context.typeOf(value);
  else if (value.is === 'text') checkText(value, context);
  else if (value.is === 'list') for (const item of value.items) checkExpressions(item, context);
  else if (value.is === 'map') for (const entry of value.entries) checkExpressions(entry.value, context);
}

function checkItems({ items, at }: ListValue, schema: FieldSchema, field: Field): void {
  if (schema.maxItems !== undefined && items.length > schema.maxItems)
    field.findings.add(messages.tooManyItems(field.called, schema.maxItems, items.length), at);
  for (const item of items) if (schema.items) checkField(item, schema.items, itemOf(field));
}

const itemOf = (field: Field): Field => ({ ...field, called: `an entry of ${field.called}` });

/** Each expression inside a text must give one plain value. */
export function checkText(text: TextValue, context: CheckContext): void {
  for (const part of text.parts) {
    if (typeof part === 'string') continue;
    const type = context.typeOf(part);
    if (type.is === 'list' || type.is === 'map' || type.is === 'record' || type.is === 'null')
      context.findings.add(messages.notInText(part.code, type), part.at);
  }
}

function checkLiteral(value: null | boolean | number | string, at: Span, schema: FieldSchema, field: Field): void {
  const problem = value === null ? messages.emptyField(field.called) : literalProblem(value, schema, field);
  if (problem) field.findings.add(problem, at);
  else if (typeof value === 'string' && isSource(schema)) checkSource(value, at, schema.media, field);
}

/** What is wrong with one plain value; undefined when it fits. */
function literalProblem(
  value: boolean | number | string,
  schema: FieldSchema,
  { called }: Pick<Field, 'called'>,
): Message | undefined {
  if (schema.enum && typeof value !== 'boolean')
    return schema.enum.includes(value)
      ? undefined
      : messages.notInEnum(called, schema.enum, value, nearestOf(value, schema.enum));
  const fits =
    schema.type === 'string'
      ? typeof value === 'string'
      : schema.type === 'boolean'
        ? typeof value === 'boolean'
        : schema.type === 'array'
          ? false
          : typeof value === 'number' && (schema.type === 'number' || Number.isInteger(value));
  if (!fits) return messages.wrongLiteral(called, schema, value);
  if (typeof value === 'number') {
    const { minimum, maximum } = schema;
    if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum))
      return messages.outOfRange(called, schema, value);
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (schema.maxLength !== undefined && length > schema.maxLength)
      return messages.textTooLong(called, schema.maxLength, length);
    if (schema.minLength !== undefined && length < schema.minLength)
      return messages.textTooShort(called, schema.minLength, length);
    // For `potato` the message shows how a value is written, before how large it may be.
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
      return messages.notWrittenSo(called, schema, value);
    const broken = brokenBound(schema, value);
    if (broken) return messages.outOfBound(called, broken, value);
    if (isSource(schema) && value.trim() === '') return messages.emptyField(called);
  }
  return undefined;
}

/** `5` and `5 s` count as near to `5s`, and so does a typing mistake. */
function nearestOf(value: string | number, allowed: readonly (string | number)[]): string | number | undefined {
  const text = String(value).toLowerCase().replaceAll(' ', '');
  const same = allowed.find(
    option => String(option).toLowerCase() === text || String(option).toLowerCase() === `${text}s`,
  );
  return same ?? nearest(text, allowed.map(String));
}

/** Whether the field takes the address or the path of a medium. */
export const isSource = (schema: FieldSchema): boolean => schema.format === 'uri' || schema.media !== undefined;

/** An `https://` address, or a path relative to the file; `http://` only to this very machine (the built-in studio). */
export function checkSource(
  text: string,
  at: Span,
  media: MediaLimit | undefined,
  { called, findings, names }: Pick<Field, 'called' | 'findings' | 'names'>,
): void {
  const meant = names?.steps?.get(text) ? pathOfName(text, { params: NOTHING, steps: names.steps }) : undefined;
  if (meant !== undefined) {
    findings.add(messages.bareExpression(meant, text), at);
    return;
  }
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1]?.toLowerCase();
  const kind = kindOfPath(text);
  if (media?.inline && text.toLowerCase().startsWith(`data:${media.kind}/`)) return;
  const problem = scheme === undefined ? pathProblem(text) : addressProblem(text, scheme);
  if (problem) findings.add(problem, at);
  else if (kind && media && kind !== media.kind) findings.add(messages.wrongSourceKind(called, media.kind, kind), at);
}

const NOTHING = { has: () => false };

function pathProblem(text: string) {
  if (/^[/\\~]/.test(text)) return messages.absolutePath(text);
  // Words, and no name of a file: it has neither a folder nor an ending.
  if (/\s/.test(text.trim()) && !/[/\\]|\.\w{1,5}$/.test(text)) return messages.notASource(text);
  return undefined;
}

function addressProblem(text: string, scheme: string) {
  if (/^[a-z]:[\\/]/i.test(text)) return messages.absolutePath(text);
  if (scheme !== 'https' && scheme !== 'http') return messages.badScheme(scheme);
  if (!URL.canParse(text)) return messages.badAddress(text);
  return isUnencrypted(new URL(text)) ? messages.plainHttp() : undefined;
}

function checkType(type: Type, at: Span, schema: FieldSchema, field: Field): void {
  const problem = typeProblem(type, schema, field.called);
  if (problem) field.findings.add(problem, at);
  else if (type.is === 'list') {
    if (schema.items) checkType(type.of, at, schema.items, itemOf(field));
  } else if ('values' in type) for (const possible of type.values ?? []) checkPossible(possible, at, schema, field);
}

function typeProblem(type: Type, schema: FieldSchema, called: string): Message | undefined {
  if (type.is === 'any' || type.is === 'wrong') return undefined;
  if (schema.type === 'array') return type.is === 'list' ? undefined : messages.needsList(called, schema, type);
  if (type.is === 'list') return messages.listGiven(called, schema, type);
  if (isSource(schema) && type.is === 'record')
    return isCommandFile(type) ? kindProblem(type, schema.media, called) : messages.recordForMedia(called, type);
  if (isSource(schema) && type.is === 'text') return kindProblem(type, schema.media, called);
  const fits =
    schema.type === 'string'
      ? type.is === 'text'
      : schema.type === 'boolean'
        ? type.is === 'bool'
        : type.is === 'int' || (type.is === 'double' && schema.type === 'number');
  return fits ? undefined : messages.typeGiven(called, schema, type);
}

/** A file of a command is handed over as it is: it has no address of its own to be named by. */
const isCommandFile = ({ cel }: RecordType): boolean => cel === 'CommandFile' || cel === 'ListedFile';

function kindProblem(
  { leadsTo }: Pick<TextType, 'leadsTo'>,
  media: MediaLimit | undefined,
  called: string,
): Message | undefined {
  if (leadsTo === 'none') return messages.notMedia(called, media?.kind);
  if (!leadsTo || leadsTo === 'media' || !media || leadsTo === media.kind) return undefined;
  return messages.wrongKind(called, media.kind, leadsTo);
}

/** A value that an axis or an enum may take: the error is at the value, with a note where it is used. */
function checkPossible({ value, at }: Possible, usedAt: Span, schema: FieldSchema, field: Field): void {
  const problem = literalProblem(value, schema, field);
  if (!problem) return;
  // A value inside the expression is used at its own place.
  const isHere = at.start >= usedAt.start && at.end <= usedAt.end;
  field.findings.add(problem, at, isHere ? undefined : [{ message: messages.usedHere, span: usedAt }]);
}

/** `with:` against what the model's request takes: names, values, what is required, and forbidden combinations. */

/** `video`, `video_url` → `input_video`; `text` → `prompt`: a required field that is missing. */
function calledElsewhere(name: string, { required = [] }: FieldSchema, given: ReadonlySet<string>): string | undefined {
  const missing = required.filter(field => !given.has(field));
  const words = name.split('_').filter(word => word !== 'input' && word !== 'url');
  return missing.find(
    field =>
      field.split('_').some(word => words.includes(word)) ||
      (field === 'prompt' && ['text', 'description', 'caption', 'query', 'content'].includes(name)),
  );
}

export function checkRequest(given: MapValue, { model, at }: ResolvedModel, context: CheckContext): void {
  if (!model) {
    checkExpressions(given, context);
    return;
  }
  const known = Object.keys(model.request.properties);
  const names = new Set(given.entries.map(entry => entry.name));
  for (const { name, nameAt, value } of given.entries) {
    const near = fieldOf(model, name) ? name : (nearest(name, known) ?? calledElsewhere(name, model.request, names));
    const field = near === undefined ? undefined : fieldOf(model, near);
    if (field) checkField(seen(value, nameAt), field, { ...context, called: `\`${near}\` of ${model.label}` });
    else checkExpressions(value, context);
    if (near === name) continue;
    const tolerated = model.undocumentedFields && near === undefined;
    context.findings.add(
      tolerated
        ? messages.undocumentedField(name, model.label)
        : messages.unknownRequestField(name, model.label, near, known),
      nameAt,
    );
    // A misspelt field is not a missing one as well.
    if (near !== undefined) names.add(near);
  }
  const missing = model.request.required.filter(name => !names.has(name));
  if (missing.length > 0) context.findings.add(messages.missingFields(missing, model.label), at);
  checkRules(given, model, context.findings);
  warnOfSecretsInWords(given, model, context.findings);
}

/** A value that is empty has no width: its key is the place to look at. */
const seen = (value: Value, nameAt: Span): Value =>
  value.is === 'literal' && value.value === null && value.at.start === value.at.end ? { ...value, at: nameAt } : value;

/** Only what is certain: every field of the rule is a plain value here, or left to its documented default. */
function checkRules(given: MapValue, model: Model, findings: Findings): void {
  for (const rule of model.rules) {
    const fields = Object.entries(rule.if);
    const holds = fields.every(([name, values]) => {
      const entry = given.entries.find(candidate => candidate.name === name);
      const value: Json | undefined = entry
        ? entry.value.is === 'literal'
          ? entry.value.value
          : undefined
        : model.request.properties[name]?.default;
      return value !== undefined && values.includes(value);
    });
    if (!holds) continue;
    const places = given.entries.filter(entry => Object.hasOwn(rule.if, entry.name));
    const last = places.at(-1);
    if (last)
      findings.add(messages.refused(model.label, rule.refuse), { start: last.nameAt.start, end: last.value.at.end });
  }
}
