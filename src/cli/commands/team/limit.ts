/** `shotlist team limit SERVICE in_flight=40`: what a key may be used for by all workers together. */

import { formatUsd } from '../../../model/text/format.ts';
import { type LimitsGiven, type LimitsSet, limits, setLimits } from '../../../team/runs/cluster-limits.ts';
import { UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { jsonText, print } from '../../outlets.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { withTeam } from '../../team/on-team.ts';
import { serviceWithKey } from '../../team/service-named.ts';

export const main = command('team limit', async ({ values, positionals }) => {
  const [name, ...words] = positionals;
  if (name?.includes('=')) throw new UsageError(messages.limitsOfWhat());
  const given = limitsIn(words);
  return withTeam(values, async (team, project) => {
    if (name !== undefined) {
      const service = await serviceWithKey(name, project);
      try {
        await setLimits(team.database, { account: service.account, name }, given);
      } finally {
        await service.close();
      }
    }
    const all = await limits(team.database);
    if (values.json) print(jsonText({ version: 1, limits: all }));
    else if (all.length === 0)
      print(`no limits are set on ${team.name}: whatever the services and the settings of its workers allow\n`);
    else for (const one of all) print(`${limitsText(one)}\n`);
    return 0;
  });
});

const WHOLE = /^[1-9]\d{0,8}$/;
const COUNT = { form: WHOLE, wanted: 'a whole number, 1 or more, or none' };
const LIMITS = {
  in_flight: COUNT,
  per_second: COUNT,
  usd_per_day: { form: /^\d+(\.\d+)?$/, wanted: 'US dollars, like 500, or none' },
} as const;

/** `in_flight=40 V-T2V-A=8`: what is no limit of the key is one of a model. @throws UsageError telling all mistakes. */
function limitsIn(words: readonly string[]): LimitsGiven {
  const ofKey: Record<string, number | null> = {};
  const models = new Map<string, number | null>();
  const mistakes: string[] = [];
  for (const word of words) {
    const [, name = word, text = ''] = /^(.+)=([^=]*)$/s.exec(word) ?? [];
    const isOfKey = Object.hasOwn(LIMITS, name);
    const { form, wanted } = isOfKey ? LIMITS[name as keyof typeof LIMITS] : COUNT;
    if (text !== 'none' && !form.test(text)) mistakes.push(messages.badLimit(word, name, wanted));
    const amount = text === 'none' ? null : Number(text);
    if (isOfKey) ofKey[name] = amount;
    else models.set(name, amount);
  }
  if (mistakes.length > 0) throw new UsageError(...mistakes);
  return { ...ofKey, models };
}

function limitsText({ name, account, models, ...key }: LimitsSet): string {
  const all = [
    ...(key.in_flight === null ? [] : [`${key.in_flight} in flight`]),
    ...Object.entries(models).map(([model, most]) => `${most} of ${model}`),
    ...(key.per_second === null ? [] : [`${key.per_second} a second`]),
    ...(key.usd_per_day === null ? [] : [`${formatUsd(key.usd_per_day)} a day`]),
  ];
  return `${name} (${account}): ${all.length === 0 ? 'no limits' : all.join(', ')}`;
}
