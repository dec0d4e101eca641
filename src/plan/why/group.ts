/** Instances of a step whose explanations differ only in the values they name are told once. */
import type { Cause, Change, Why } from './explain.ts';

/** In the order of the plan; each group has at least one. */
export const alike = (all: readonly Why[]): readonly (readonly Why[])[] => [
  ...Map.groupBy(all, why => JSON.stringify(signOf(why))).values(),
];

function signOf({
  instance,
  owned,
  before,
  changes,
  untold,
  waits,
  open,
  failed,
  otherService,
}: Why): readonly unknown[] {
  const { decision, step } = instance;
  return [
    ...[step.name, decision.is, owned ? [] : withoutCoordinates(decision.why), open, untold, otherService],
    owned && [owned.made?.run, owned.made?.how, owned.made?.film, owned.locked !== undefined, stepIn(owned.as)],
    owned?.confirmed.map(({ key }) => stepIn(key)),
    [before?.from, changes.map(signOfChange), waits.map(signOf), failed?.message],
  ];
}

const signOfChange = ({ field, was, now, reads, because }: Change): unknown => [
  ...[field, was === undefined, now === undefined, reads],
  because.map(signOfCause),
];
const signOfCause = ({ key, changes }: Cause): unknown => [stepIn(key), changes.map(signOfChange)];

const stepIn = (key: string | undefined): string | undefined => key?.replace(/\[.*\]$/s, '');
const withoutCoordinates = (text: string): string => text.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/ as \S+(?=:)/g, '');
