/** The documented shape of `shotlist why --json`, version 1: fields are added, never renamed. */
import type { JsonObject } from '../../domain/json.ts';
import type { Plan } from '../../domain/plan.ts';
import { beforeCut } from '../asked-fields.ts';
import type { Cause, Change, Ownership, Why } from './explain.ts';

export const whyJson = (all: readonly Why[], { pipeline, service }: Plan): JsonObject => ({
  version: 1,
  pipeline: pipeline.source.path,
  service,
  instances: all.map(instanceJson),
});

function instanceJson({
  instance,
  owned,
  before,
  changes,
  untold,
  waits,
  open,
  failed,
  otherService,
}: Why): JsonObject {
  const { key, step, decision, price, priceBasis } = instance;
  return {
    ...{ key, step: step.name, decision: decision.is, why: decision.why },
    ...{ price_usd: price, price_basis: priceBasis },
    ...(decision.is === 'sent' && { sent: { film: null, ...decision.sent } }),
    ...(owned && { owned: ownershipJson(owned) }),
    ...(before && {
      before: {
        ...{ from: before.from, at: before.at ?? null, run: before.run ?? null, cost_usd: before.cost },
        asked: before.asked ?? null,
      },
    }),
    ...(isToBeMade(decision.is) && {
      ...{ changes: changes.map(changeJson), cannot_tell: untold ?? null },
      ...{ waits_for: waits.map(instanceJson), waits_for_steps: open },
      ...{ failed: failed ?? null, made_on: otherService ?? null },
    }),
  };
}

const isToBeMade = (is: string): boolean => is === 'run' || is === 'maybe';

const ownershipJson = ({ made, locked, as, confirmed }: Ownership): JsonObject => ({
  journal: made
    ? { ...{ run: made.run, at: made.at, key: made.key, how: made.how }, film: made.film ?? null, cost_usd: made.cost }
    : null,
  lock: locked ? { generation: locked.generation, cost_usd: locked.cost } : null,
  as: as ?? null,
  made_again_with_the_same_bytes: confirmed.map(({ key, at, run }) => ({ key, at, run })),
});

const changeJson = ({ field, was = null, now = null, media, reads, because }: Change): JsonObject => ({
  ...{ field, was: beforeCut(was) ?? was, now, was_cut: beforeCut(was) !== undefined },
  ...{ reads, because: because.map(causeJson) },
  ...(media && { media: { from: media.from ?? null, kind: media.facts?.kind ?? null } }),
});

const causeJson = ({ key, at, changes }: Cause): JsonObject => ({
  key,
  at: at ?? null,
  changes: changes.map(changeJson),
});
