/** `activate: true` under `models:` → the custom models that a run brings up and down. */
import { modelLibrary } from '../api/model-library.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import { child, type MapNode, type Node } from './syntax-tree.ts';

export function readDeployments(
  section: MapNode | undefined,
  wrong: ReadonlySet<Node>,
  findings: Findings,
): readonly string[] {
  const models = new Set<string>();
  for (const { value } of section?.entries ?? []) {
    if (value.is !== 'map' || wrong.has(value)) continue;
    const [id, activate] = [child(value, 'id'), child(value, 'activate')];
    if (id?.is !== 'scalar' || typeof id.value !== 'string' || wrong.has(id)) continue;
    if (activate?.is !== 'scalar' || activate.value !== true) continue;
    // The interface document's own models have no deployment of ours; a service's library may hold its custom ones too.
    if (modelLibrary.get(id.value)) findings.add(messages.activatedLabel(id.value), activate.at);
    else models.add(id.value);
  }
  return [...models];
}
