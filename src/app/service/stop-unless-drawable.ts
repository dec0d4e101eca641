/**
 * The built-in studio draws, and films are cut, with packages that an installation may lack: a run reports it once, before it starts and
 * anything is paid for, and not each of its steps.
 */

import { whyNothingIsCut, whyNothingIsDrawn } from '../../machine/process/optional-packages.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Step } from '../../model/pipeline.ts';
import type { Plan } from '../../model/plan.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { kindOf, modelOf } from '../../plan/kinds/index.ts';

/**
 * @param hosted whether the service draws, and not this machine.
 * @throws Refusal when the plan has something to draw, to cut, or frames to take, and that cannot be done here.
 */
export function stopUnlessDrawable({ instances, outputs }: Plan, library: ModelLibrary, hosted: boolean): void {
  const made = [...instances].filter(({ decision: { is } }) => is === 'run' || is === 'maybe' || is === 'sent');
  const isDrawn = !hosted && made.some(({ step }) => makesMedia(step, library));
  const isCut = made.some(({ step, decision }) => decision.is !== 'sent' && kindOf(step).takesEncoder);
  const hasFrames = outputs.some(({ part }) => part !== undefined);
  const why = (isDrawn ? whyNothingIsDrawn() : undefined) ?? (isCut || hasFrames ? whyNothingIsCut() : undefined);
  if (why !== undefined) throw new Refusal(why);
}

/** A model that the library does not describe may make anything. */
function makesMedia(step: Step, library: ModelLibrary): boolean {
  const model = modelOf(step);
  return model !== undefined && library.get(model)?.produces !== 'text';
}
