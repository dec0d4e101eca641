/** `why` and `plan` say the same of each instance. */
import { expect } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { kindOf } from '../../src/plan/kinds/index.ts';
import type { Why } from '../../src/plan/why/explain.ts';
import { planJson } from '../../src/show/plan/plan-json.ts';
import { formatWhy, whyJson } from '../../src/show/plan/why-text.ts';

const HEADS: Readonly<Record<string, RegExp>> = {
  hit: /: owned$/,
  run: /: (?:new, )?would be made/,
  maybe: /: (?:new, )?may be made/,
  skip: /: skipped: /,
  left_out: /: is no part of this run: /,
  fetch: /: f(?:etched again|rom the team)/,
  sent: /: (?:under way|made|answer lost|the same request)/,
};

export function expectAgreement(all: readonly Why[], plan: Plan): void {
  const planned = new Map((planJson(plan).instances as readonly JsonObject[]).map(one => [one.key, one.decision]));
  const told = whyJson(all, plan).instances as readonly JsonObject[];
  expect(told.map(({ key, decision }) => [key, decision])).toEqual(told.map(({ key }) => [key, planned.get(key)]));
  for (const why of all) {
    const { key, step } = why.instance;
    const [head = ''] = formatWhy([why], plan, { width: 160 }).split('\n');
    if (!kindOf(step).isDecided) expect(head).toMatch(HEADS[String(planned.get(key))] ?? '');
  }
}
