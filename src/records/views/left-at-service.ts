/** What goes on at the service beside the generations of the plan: deployments, and what could not be cancelled. */
import { cleanText } from '../../domain/clean.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { messageText } from '../../domain/message-text.ts';
import { unreachable } from '../../domain/unreachable.ts';
import type { DeploymentView, RunView } from './run-view.ts';

type RecordedDeploymentEvent = Extract<
  RecordedEvent,
  { readonly type: 'activation_intended' | 'deployment_changed' | 'activation_closed' | 'still_billing' }
>;

export function reduceDeployment(run: RunView, event: RecordedDeploymentEvent): void {
  const before = run.deployments.get(event.model) ?? { status: '', reason: '' };
  run.deployments.set(event.model, { ...before, ...deploymentAfter(event), model: cleanText(event.model) });
}

function deploymentAfter(event: RecordedDeploymentEvent): Partial<DeploymentView> & Pick<DeploymentView, 'is'> {
  switch (event.type) {
    case 'activation_intended':
      return { is: 'coming', status: '' };
    case 'deployment_changed':
      return { is: whose(event), status: cleanText(event.status) };
    case 'activation_closed':
      return { is: event.how === 'already_active' ? 'theirs' : 'ended' };
    case 'still_billing':
      return { is: 'left', reason: messageText(event.reason) };
    default:
      return unreachable(event);
  }
}

function whose({
  status,
  ours,
}: Extract<RecordedEvent, { readonly type: 'deployment_changed' }>): DeploymentView['is'] {
  if (ours) return status === 'active' ? 'ours' : 'coming';
  return status === 'active' || status === 'deploying' ? 'theirs' : 'coming';
}

/** It may be a generation of an earlier version of the film, which no row stands for. */
export function reduceCancelFailed(
  run: RunView,
  event: Extract<RecordedEvent, { readonly type: 'cancel_failed' }>,
): void {
  const { key, generation_id, why } = event;
  const id = generation_id === null ? null : cleanText(generation_id);
  const instance = run.instances.get(key);
  const index = instance?.index ?? run.instances.size;
  run.uncancelled.set(id ?? key, { index, label: cleanText(key), id, why, message: messageText(event.message) });
}
