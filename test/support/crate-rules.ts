/** What RO-Crate 1.1, Workflow RO-Crate 1.0 and Workflow Run Crate 0.5 demand (MUST), each as the sentence that is broken. */
type Entity = { readonly [name: string]: unknown };

export function crateMistakes(document: unknown, files: readonly string[]): readonly string[] {
  const { '@context': context, '@graph': graph } = document as { '@context': unknown; '@graph': readonly Entity[] };
  const mistakes: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) mistakes.push(sentence);
  };
  const byId = new Map(graph.map(entity => [entity['@id'] as string, entity]));
  const list = (value: unknown): readonly unknown[] =>
    value === undefined ? [] : Array.isArray(value) ? value : [value];
  const ids = (value: unknown) => list(value).map(one => (one as Entity)['@id'] as string);
  const types = (entity: Entity | undefined) => list(entity?.['@type']) as readonly string[];
  const is = (entity: Entity | undefined, ...wanted: readonly string[]) =>
    wanted.every(type => types(entity).includes(type));

  must(byId.size === graph.length, 'each entity stands in the graph once');
  must(list(context).includes('https://w3id.org/ro/crate/1.1/context'), 'the context is that of RO-Crate 1.1');
  const metadata = byId.get('ro-crate-metadata.json');
  must(
    is(metadata, 'CreativeWork') && ids(metadata?.about)[0] === './',
    'the metadata is a CreativeWork about the root',
  );
  must(ids(metadata?.conformsTo).includes('https://w3id.org/ro/crate/1.1'), 'the metadata conforms to RO-Crate 1.1');
  must(
    ids(metadata?.conformsTo).some(id => id.startsWith('https://w3id.org/workflowhub/workflow-ro-crate/')),
    'the metadata conforms to Workflow RO-Crate',
  );
  const root = byId.get('./');
  must(is(root, 'Dataset'), 'the root is a Dataset');
  for (const name of ['name', 'description', 'license']) must(list(root?.[name]).length > 0, `the root has a ${name}`);
  must(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(String(root?.datePublished)), 'the root has one ISO 8601 datePublished');
  for (const profile of ['process', 'workflow'])
    must(
      ids(root?.conformsTo).includes(`https://w3id.org/ro/wfrun/${profile}/0.5`),
      `the root conforms to wfrun/${profile}`,
    );
  const [main = ''] = ids(root?.mainEntity);
  const workflow = byId.get(main);
  must(is(workflow, 'File', 'SoftwareSourceCode', 'ComputationalWorkflow'), 'the main entity is a workflow in a file');
  must(is(byId.get(ids(workflow?.programmingLanguage)[0] ?? ''), 'ComputerLanguage'), 'the workflow has a language');
  const parts = ids(root?.hasPart);
  must(parts.includes(main), 'the workflow is a part of the root');
  for (const entity of graph.filter(one => is(one, 'File'))) {
    must(parts.includes(entity['@id'] as string), `the file ${entity['@id']} is a part of the root`);
    must(files.includes(decodeURIComponent(entity['@id'] as string)), `the file ${entity['@id']} is in the crate`);
  }
  const actions = graph.filter(one => is(one, 'CreateAction'));
  must(
    actions.some(({ instrument }) => ids(instrument)[0] === main),
    'a CreateAction has the workflow as its instrument',
  );
  for (const action of actions) {
    const tool = byId.get(ids(action.instrument)[0] ?? '');
    must(
      ['SoftwareApplication', 'SoftwareSourceCode', 'ComputationalWorkflow'].some(type => is(tool, type)),
      `${action['@id']} has a tool`,
    );
    must(ids(root?.mentions).includes(action['@id'] as string), `the root mentions ${action['@id']}`);
    must(
      ids(action.actionStatus).every(id => id.startsWith('http://schema.org/')),
      `${action['@id']} has a status of schema.org`,
    );
    for (const name of ['object', 'result'])
      for (const id of ids(action[name])) must(byId.has(id), `${id} of ${action['@id']} is described`);
  }
  for (const entity of graph)
    for (const [name, value] of Object.entries(entity))
      for (const id of list(value)
        .filter(one => typeof one === 'object')
        .map(one => (one as Entity)['@id'] as string))
        must(byId.has(id) || /^https?:/.test(id), `${id}, ${name} of ${entity['@id']}, is described`);
  return mistakes;
}
