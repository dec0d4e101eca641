/** Films that tests make in one profile after another. */
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { Plan } from '../../src/model/plan.ts';
import { plan } from '../../src/plan/plan.ts';
import type { Outcome } from '../../src/run/engine/run.ts';
import { type PicksIn, picksIn } from '../../src/show/plan/promotion-text.ts';
import { compiledProject, type Texts } from '../support/project-files.ts';
import { ofType, ran, rig, type StartedRun } from './rig.ts';

export interface Made {
  readonly film: StartedRun;
  readonly outcome: Outcome;
  /** What was sent to the queue, in the order of its names. */
  readonly sent: readonly string[];
}

export async function made(profile: string | undefined, text: string | Texts): Promise<Made> {
  rig.profile = profile;
  const { film, outcome } = await ran(typeof text === 'string' ? text : compiledProject(text, profile));
  return { film, outcome, sent: sentIn(film) };
}

/** Without chats. */
const sentIn = (film: StartedRun): readonly string[] =>
  ofType(film, 'submit_intended')
    .flatMap(({ key, model }) => (model.startsWith('C-') ? [] : [key as string]))
    .sort();

export function plannedAgain({ film }: Made): Plan {
  const { plan: now, diagnostics } = plan(film.plan.pipeline, film.context);
  if (!now) throw new Error(formatDiagnostics(diagnostics));
  return now;
}

/** What is picked in the film that was just made. */
export const picked = (of: Made): PicksIn => picksIn(plannedAgain(of), of.film.context);
