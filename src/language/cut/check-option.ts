/** Values of a cut against what their places take: the texts of the file as they stand, expressions by their types. */

import type { MapValue, Value } from '../../model/pipeline.ts';
import { nearest } from '../../model/text/nearest.ts';
import { type CheckContext, checkExpressions, checkSource, checkText } from '../checks/field-check.ts';
import type { WantedMedia } from '../messages/cut-messages.ts';
import { withoutQuotes } from '../messages/foreign/wording.ts';
import { messages } from '../messages/index.ts';
import { kindOfPath, type Type } from '../types/types.ts';
import type { Option } from './cut-options.ts';

export const valueIn = ({ entries }: MapValue, name: string): Value | undefined =>
  entries.find(entry => entry.name === name)?.value;

/** What a text or a number of the file means there; undefined for an expression, and where it does not fit, which is reported. */
export function checkOption<T>(value: Value, option: Option<T>, called: string, context: CheckContext): T | undefined {
  const { takes, names = [] } = option;
  switch (value.is) {
    case 'literal': {
      const read = option.read(value.value);
      if (read !== undefined) return read;
      const plain = withoutQuotes(value.value);
      if (plain !== undefined && option.read(plain) !== undefined)
        return void context.findings.add(messages.cutValueInQuotes(called, takes, String(value.value)), value.at);
      const given = value.value === null ? 'empty' : JSON.stringify(value.value);
      const text = typeof value.value === 'string' ? value.value : undefined;
      const meant = text && option.meant?.(text);
      const near = text && (nearest(text, names) ?? (meant && option.read(meant) !== undefined ? meant : undefined));
      context.findings.add(messages.cutValue(called, takes, given, near), value.at);
      return undefined;
    }
    case 'text':
      checkText(value, context);
      if (!option.types.includes('text')) context.findings.add(messages.cutTextValue(called, takes), value.at);
      return undefined;
    case 'expression': {
      const type = context.typeOf(value);
      if (!isOpen(type) && !option.types.includes(type.is))
        context.findings.add(messages.cutType(called, takes, type), value.at);
      return undefined;
    }
    default:
      checkExpressions(value, context);
      return undefined;
  }
}

/** Every option of a table that the mapping has. */
export function checkOptions(
  map: MapValue,
  table: { readonly [name: string]: Option<unknown> },
  called: (name: string) => string,
  context: CheckContext,
): void {
  for (const { name, value } of map.entries) {
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option) checkOption(value, option, called(name), context);
  }
}

/** The type of a missing value is unknown, and so is that of a choice without its other side. */
const isOpen = ({ is }: Type): boolean => is === 'any' || is === 'wrong' || is === 'null';

export type KnownKind = 'video' | 'image' | 'audio' | undefined;

/** The kind of a medium as far as it is known. `list`: as many of them as it has. */
export function checkMedia(
  value: Value,
  wanted: WantedMedia,
  { called, list }: { readonly called: string; readonly list?: 'taken' },
  context: CheckContext,
): KnownKind {
  switch (value.is) {
    case 'literal': {
      const text = String(value.value ?? '');
      checkSource(text, value.at, undefined, { called, findings: context.findings, names: context.names });
      return checkedKind(kindOfPath(text), value, wanted, called, context);
    }
    case 'text':
      checkText(value, context);
      return undefined;
    case 'expression':
      return checkMediaType(context.typeOf(value), value, wanted, { called, list }, context);
    default:
      checkExpressions(value, context);
      return undefined;
  }
}

function checkMediaType(
  type: Type,
  value: Value,
  wanted: WantedMedia,
  { called, list }: { readonly called: string; readonly list: 'taken' | undefined },
  context: CheckContext,
): KnownKind {
  if (isOpen(type)) return undefined;
  if (type.is === 'list' && list === 'taken')
    return checkMediaType(type.of, value, wanted, { called, list: undefined }, context);
  if (type.is === 'list') {
    context.findings.add(messages.cutMediaList(called, wanted), value.at);
    return undefined;
  }
  if (type.is !== 'text' && type.is !== 'record') {
    context.findings.add(messages.cutMedia(called, wanted, type), value.at);
    return undefined;
  }
  const { leadsTo } = type;
  if (leadsTo === 'none' || (type.is === 'record' && leadsTo === undefined)) {
    const what = type.is === 'record' ? messages.cutMedia(called, wanted, type) : messages.cutMediaText(called, wanted);
    context.findings.add(what, value.at);
    return undefined;
  }
  return leadsTo === 'media' ? undefined : checkedKind(leadsTo, value, wanted, called, context);
}

function checkedKind(
  kind: KnownKind,
  value: Value,
  wanted: WantedMedia,
  called: string,
  context: CheckContext,
): KnownKind {
  const fits = kind === undefined || (kind === 'audio') === (wanted === 'sound');
  if (!fits) context.findings.add(messages.cutMediaKind(called, wanted, String(kind)), value.at);
  return kind;
}
