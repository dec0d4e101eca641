/** What goes on at the service, and bills, beside the generations of the plan and after the run. */

import type { RecordedEvent } from '../../model/run/event.ts';
import { unreachable } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { listedFew } from '../../model/text/format.ts';
import type { DeploymentView, RunView, Uncancelled } from '../../records/views/run-view.ts';

export function deploymentText(
  event: Extract<RecordedEvent, { readonly type: 'deployment_changed' }>,
  run: RunView,
): string {
  const [model, status] = [cleanText(event.model), cleanText(event.status)];
  if (status === 'active')
    return event.ours ? `${model} is active` : `${model} is active already, and is left as it is`;
  if (status === 'error') return `${model} has ended in an error`;
  if (status !== 'deploying' || !event.ours || run.detached === null) return `${model} is ${status}`;
  return `${model} is on its way up, and can be ended when it is there; Ctrl-C again leaves it up`;
}

export function closedText(
  { model, how }: Extract<RecordedEvent, { readonly type: 'activation_closed' }>,
  run: RunView,
): string {
  switch (how) {
    case 'deactivated':
      return `${cleanText(model)} is deactivated${isFree(run) ? '' : ', and bills no more'}`;
    case 'already_active':
      return `${cleanText(model)} was activated by another client`;
    case 'not_up':
      return `${cleanText(model)} is not up${isFree(run) ? '' : ', and does not bill'}`;
    default:
      return unreachable(how);
  }
}

/** What bills when this run is over, by model. */
export const billsOnTexts = (run: RunView): readonly { readonly model: string; readonly text: string }[] =>
  [...run.deployments.values()].flatMap(deployment => {
    const text = billsOnText(run, deployment);
    return text === null ? [] : [{ model: deployment.model, text }];
  });

function billsOnText(run: RunView, { model, is, status, reason }: DeploymentView): string | null {
  const end = `\`shotlist models deactivate ${asTyped(model)}\``;
  if (is === 'left') {
    if (isFree(run)) return `${model} is still active in the studio, where it costs nothing; the next run ends it`;
    return `${model} is still active and bills on (${reason}): ${end} ends it, and so does the next run of this film`;
  }
  if (is !== 'theirs' || isFree(run)) return null;
  if (status === 'active') return `${model} was active before this run, and still is: it bills until ${end}`;
  return `${model} is on its way up, though not by this run: it bills until ${end}`;
}

/** For a person who does not wait for the end: no other line follows. */
export const leftBillingText = (model: string): string =>
  `${cleanText(model)} may still be active, and bill: \`shotlist models deactivate ${asTyped(cleanText(model))}\` ends it, and so does the next run of this film`;

/** What goes on at the service when the process ends at once: at most one line. */
export function leftOpenLines(keys: readonly InstanceKey[], again: string, cancel: string): readonly string[] {
  if (keys.length === 0) return [];
  const isOne = keys.length === 1;
  const them = isOne ? 'it' : 'them';
  return [
    `${namesText(keys)} ${isOne ? 'goes' : 'go'} on at the service and ${isOne ? 'is' : 'are'} billed: \`${again}\` fetches ${them}, \`${cancel}\` ends ${them}`,
  ];
}

/** The first five. */
const namesText = (keys: readonly InstanceKey[]): string => listedFew(keys.map(cleanText), 5);

/** The same for a command that acts outside at that moment. */
export const leftActingText = (key: string): string =>
  `${cleanText(key)} was acting outside: its outcome is unknown, and the next run asks before it does it again`;

export function uncancelledText(run: RunView, { label, id, why, message }: Uncancelled): string {
  const which = id === null ? label : `${label} (generation ${id})`;
  const mayGoOn = `${which} may go on${isFree(run) ? '' : ' and be billed'}: ${message}`;
  switch (why) {
    case 'not_offered': {
      const bills = isFree(run) ? '' : ', and is billed';
      return `${which} goes on at ${run.service}, which offers no cancelling${bills}; the next run takes it up`;
    }
    case 'finished':
      return `${which} had finished already: it is yours, and the next run fetches it`;
    case 'no_answer':
      return `${mayGoOn}; \`shotlist cancel ${asTyped(run.pipeline)}\` asks again`;
    case 'no_id':
      return `${mayGoOn}; the next run looks for it`;
    default:
      return unreachable(why);
  }
}

/** `running`: instances that the next run takes up again. */
export function stillRunningText(run: RunView, running: readonly InstanceKey[]): string {
  if (running.length === 0) return 'nothing is left running at the service';
  const shown = namesText(running);
  const one = running.length === 1;
  // The built-in studio ends with the run, and draws again what it had not finished.
  if (isFree(run)) return `${shown} ${one ? 'is' : 'are'} resumed by the next run`;
  return `${shown} ${one ? 'goes' : 'go'} on at the service, to be resumed`;
}
