/** What an editor shows under the pointer: a key, a field with its limits, a model, a step with its price and type, a name or a function of an expression. */

import { expressionsIn } from '../language/checks/mentions.ts';
import { functionsByName } from '../language/expression/functions/functions.ts';
import { typeName } from '../language/messages/foreign/wording.ts';
import type { Type } from '../language/types/types.ts';
import { placeAt } from '../language/yaml/cursor.ts';
import type { Span } from '../model/diagnostic.ts';
import { functionText } from './complete/complete-expression.ts';
import { type Film, fieldNamed, modelsOf, stepsOf, takenAt } from './complete/expected.ts';
import { scopeAt, typedBefore, typeOfCode } from './complete/expression-types.ts';
import type { Document } from './document.ts';
import { fieldText, keyText, modelText, type SharedWords } from './hover-texts.ts';
import type { StepFacts } from './step-lenses.ts';

interface Hover {
  /** Markdown. */
  readonly text: string;
  readonly at: Span;
}

interface HoverWorld {
  readonly words: SharedWords;
  /** Price and last result of each step, as far as they are known by now. */
  readonly facts: ReadonlyMap<string, StepFacts>;
}

export function hoverAt(document: Document, offset: number, world: HoverWorld): Hover | undefined {
  const { survey, library, source } = document;
  if (!survey) return undefined;
  const film: Film = { survey, library };
  const place = placeAt(survey.node, offset);
  if (!place) return undefined;
  const [section, name, key, field, ...deeper] = place.at;
  const at = place.span;
  if (place.is === 'key') {
    if (section === 'steps' && name !== undefined && key === undefined)
      return hover(at, stepText(String(name), film, world));
    const step = section === 'steps' ? stepsOf(survey.node).find(one => one.name === name)?.value : undefined;
    if (step?.is === 'map' && key === 'with' && field !== undefined && deeper.length === 0) {
      const fields = modelsOf(step, film).flatMap(model => {
        const found = fieldNamed(model, String(field));
        const isRequired = model.request.required.includes(String(field));
        return found
          ? [`\`${model.label}\` · ${fieldText({ ...found, ...(isRequired && { isRequired }) }, world.words)}`]
          : [];
      });
      if (fields.length > 0) return hover(at, fields.join('\n\n'));
    }
    return hover(at, keyText(String(place.at.at(-1)), takenAt(place.at, film), world.words));
  }
  const code = expressionsIn(source.text, at).find(
    ({ code, start }) => start <= offset && offset <= start + code.length,
  );
  if (code) return inExpression(code, offset, document, film, world);
  if (place.node.is !== 'scalar' || typeof place.node.value !== 'string') return undefined;
  const model = library.get(place.node.value) ?? survey.models(place.node)?.model;
  const isModel = place.at.at(-1) === 'model' || section === 'models' || key === 'matrix';
  return model && isModel ? hover(at, modelText(model, world.words)) : undefined;
}

const hover = (at: Span, text: string | undefined): Hover | undefined => (text ? { at, text } : undefined);

/** What it gives, what makes it, what it costs, and what it gave last. */
function stepText(name: string, film: Film, { words, facts }: HoverWorld): string {
  const { survey } = film;
  const type = survey.scopeOf(name).steps.get(name);
  const node = stepsOf(survey.node).find(one => one.name === name)?.value;
  const models = node?.is === 'map' ? modelsOf(node, film) : [];
  const known = facts.get(name);
  const gives =
    type && type.result.is !== 'wrong'
      ? `\`steps.${name}\` is ${typeName(type.coordinates.length > 0 ? { is: 'list', of: type.result } : type.result)}${type.coordinates.length > 0 ? ` (${type.coordinates.join(', ')})` : ''}`
      : `step \`${name}\``;
  return [gives, known?.price, known?.last, ...models.map(model => modelText(model, words))]
    .filter(part => part !== undefined && part !== '')
    .join('\n\n');
}

function inExpression(
  { code, start }: { readonly code: string; readonly start: number },
  offset: number,
  document: Document,
  film: Film,
  world: HoverWorld,
): Hover | undefined {
  const end = start + [...code.slice(offset - start)].findIndex(letter => !/\w/.test(letter));
  const last = end < start ? start + code.length : offset + (end - start);
  const first = offset - /\w*$/.exec(code.slice(0, offset - start))![0].length;
  const word = code.slice(first - start, last - start);
  if (word === '') return undefined;
  const at = { start: first, end: last };
  const behind = code.slice(last - start);
  const lead = code.slice(0, first - start);
  const called = /^\s*\(/.test(behind)
    ? functionsByName.get(/\bmath\.$/.test(lead) ? `math.${word}` : word)
    : undefined;
  if (called) return hover(at, functionText(called));
  const mention = document.mentions.find(({ root, path }) => root === 'steps' && path[0]?.at.start === first);
  if (mention) return hover(at, stepText(word, film, world));
  const way = placeAt(film.survey.node, offset)?.at ?? [];
  const scope = scopeAt(way, film.survey);
  const typed = typedBefore(code.slice(0, last - start), scope);
  if (!typed) return undefined;
  const of = typed.of ? `${typed.of.code.trim()}.${word}` : word;
  return hover(at, typeText(of, typeOfCode(of, typed.bound, scope)));
}

function typeText(code: string, type: Type): string | undefined {
  if (type.is === 'wrong') return undefined;
  const values =
    'values' in type && type.values
      ? `: ${type.values
          .slice(0, 8)
          .map(({ value }) => `\`${value}\``)
          .join(', ')}`
      : '';
  return type.is === 'any' ? undefined : `\`${code}\` is ${typeName(type)}${values}`;
}
