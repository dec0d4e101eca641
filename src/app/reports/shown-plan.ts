/** What a plan is shown with: the real film's price beside that of a profile, what would be published, and no secrets. */

import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Redactor } from '../../machine/redactor.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import { Instances } from '../../model/plan.ts';
import { FINAL } from '../../model/profile.ts';
import { contentIn } from '../../model/run/result.ts';
import { localMediaIn, type PublishedFiles } from '../../plan/media/local-file-check.ts';
import type { FinalPlan } from '../../show/plan/plan-json.ts';
import type { FilmToOpen } from '../film/film-to-open.ts';
import { type Film, openFilm } from '../film/open-film.ts';
import { publishedTo } from '../results/result-publisher.ts';
import type { ServiceChoice } from '../service/service-choice.ts';

/** `check` reports its mistakes, and so does making it. */
export async function planFinal({ compiled: _, ...asked }: FilmToOpen): Promise<FinalPlan> {
  const opened = await openFilm({ ...asked, profile: FINAL, to: 'look', found: () => {} });
  switch (opened.is) {
    case 'open': {
      const { totals, demand, service } = opened.film.plan;
      await opened.film.close();
      return { totals, demand, service };
    }
    case 'mistaken':
      return { mistakes: 'it has mistakes of its own, which `shotlist check` lists' };
    case 'unselectable':
      return { mistakes: opened.messages.join('; ') };
    case 'unreachable':
      return { mistakes: opened.message };
  }
}

/** Secrets are hidden before requests are clipped to a line: half a secret would not be found any more. */
export function planWithoutSecrets(plan: Plan, secrets: Redactor): Plan {
  const hidden = (instance: Instance): Instance =>
    instance.request === undefined ? instance : { ...instance, request: secrets.redactIn(instance.request) };
  return {
    ...plan,
    instances: new Instances(
      [...plan.instances.steps].map(step => [
        step,
        plan.instances.isOpen(step) ? null : plan.instances.of(step).map(hidden),
      ]),
    ),
  };
}

/** Undefined where there is nothing to publish, or no place for it. */
export async function publishedFiles(
  { plan, store }: Pick<Film, 'plan' | 'store'>,
  { elsewhere }: Pick<ServiceChoice, 'elsewhere'>,
): Promise<PublishedFiles | undefined> {
  const { publish } = elsewhere || {};
  const named = publish ? [...localMediaIn(plan)] : [];
  if (!publish || named.length === 0) return undefined;
  const sizes = await Promise.all(named.map(text => sizeOf(pathOf(text, store))));
  const known = sizes.filter(size => size !== undefined);
  const bytes = known.reduce((sum, size) => sum + size, 0);
  return { to: publishedTo(publish.settings), files: named.length, bytes, unmeasured: named.length - known.length };
}

function pathOf(text: string, store: Pick<Film['store'], 'file'>): string | undefined {
  const digest = contentIn(text)[0] ?? /^sha256:(.*)$/.exec(text)?.[1];
  if (digest !== undefined) return store.file(digest);
  return /^file:/i.test(text) && URL.canParse(text) ? fileURLToPath(text) : undefined;
}

const sizeOf = async (path: string | undefined): Promise<number | undefined> =>
  path === undefined
    ? undefined
    : await stat(path).then(
        ({ size }) => size,
        () => undefined,
      );
