/** Where the value of a secret must not go: into names, which are shown and kept, and into words that a service keeps; and variables that no film reads. */
import type { Span } from '../../model/diagnostic.ts';
import { fieldOf, type Model } from '../../model/model.ts';
import type { MapValue, Value } from '../../model/pipeline.ts';
import { type VariableAccess, whyWithheld } from '../../model/variable-access.ts';
import { messages } from '../messages/index.ts';
import { valueExpressions } from '../types/values.ts';
import type { Node } from '../yaml/syntax-tree.ts';
import type { Findings } from './findings.ts';

/** `called`: names of instances, of created files, of fine-tunes. */
export function refuseSecrets(values: readonly Value[], called: string, findings: Findings): void {
  for (const { name, at } of values.flatMap(secretsIn)) findings.add(messages.secretInName(name, called), at);
}

/** A token belongs to an address; in a prompt it is usually a mistake. */
export function warnOfSecretsInWords({ entries }: MapValue, model: Model, findings: Findings): void {
  for (const { name: field, value } of entries) {
    const schema = fieldOf(model, field);
    const isAddress = schema?.format === 'uri' || schema?.items?.format === 'uri';
    if (isAddress || schema?.media !== undefined) continue;
    for (const { name, at } of secretsIn(value)) findings.add(messages.secretInWords(name, model.label), at);
  }
}

/** @param declared the list of the file's `env`. */
export function refuseWithheld(declared: Node | undefined, access: VariableAccess, findings: Findings): void {
  for (const node of declared?.is === 'list' ? declared.items : declared ? [declared] : []) {
    if (node.is !== 'scalar' || typeof node.value !== 'string') continue;
    const { value: name, at } = node;
    const withheld = whyWithheld(name, access);
    if (withheld?.is === 'secret') findings.add(messages.secretVariable(name, withheld.where), at);
    if (withheld?.is === 'unexposed') findings.add(messages.unexposedVariable(name), at);
  }
}

interface SecretUse {
  /** `params.token`. */
  readonly name: string;
  readonly at: Span;
}

const secretsIn = (value: Value): readonly SecretUse[] =>
  valueExpressions(value).flatMap(({ reads, at }) =>
    reads.filter(({ secret }) => secret).map(({ root, path }) => ({ name: `${root}.${path[0]}`, at })),
  );
