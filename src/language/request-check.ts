/** `with:` against what the model's request takes: names, values, what is required, and forbidden combinations. */
import type { Span } from '../domain/diagnostic.ts';
import type { Json } from '../domain/json.ts';
import type { FieldSchema } from '../domain/model.ts';
import { fieldOf, type Model } from '../domain/model.ts';
import { nearest } from '../domain/nearest.ts';
import type { MapValue, Value } from '../domain/pipeline.ts';
import { type CheckContext, checkExpressions, checkField } from './field-check.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import type { ResolvedModel } from './model-references.ts';
import { warnOfSecretsInWords } from './secret-uses.ts';

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
