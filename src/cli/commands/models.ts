/** `shotlist models [ID]`: what can be asked of a service, and what it costs. The built-in studio starts for `--live` alone. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { type ModelFilters, modelIn, serviceCatalog, studioCatalog } from '../models/model-catalog.ts';
import { bestForOf, makesOf } from '../models/model-groups.ts';
import { modelList } from '../models/model-list.ts';
import { print } from '../outlets.ts';
import { withService } from '../service/with-service.ts';
import { indentedJson } from '../terminal/indented-json.ts';

const WIDTH_OF_A_PAGE = 100;

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('models', args);
  const { live, json } = values;
  const [id, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`shotlist models takes one model; ${more.join(' ')} is too much`);
  if (id === undefined && live) throw new UsageError('--live refreshes one model: shotlist models ID --live');
  const filters: ModelFilters = {
    ...(values.search !== undefined && { search: values.search }),
    ...(values.developer !== undefined && { developer_name: values.developer }),
    ...(values.action !== undefined && { action: values.action }),
  };
  if (id !== undefined && Object.keys(filters).length > 0)
    throw new UsageError('--search, --developer and --action narrow the list; leave the model out');
  return withService(values, async connection => {
    const catalog = connection.choice.hosted || live ? serviceCatalog(connection) : await studioCatalog();
    if (id === undefined) {
      const models = await catalog.list(filters);
      print(
        `${json ? indentedJson({ object: 'list', data: models.map(withMakes) }) : listText(models, catalog.footnote)}\n`,
      );
    } else {
      const model = await modelIn(catalog, id, { live });
      print(`${json ? modelJson(model) : await modelText(model)}\n`);
    }
    return 0;
  });
});

/** The catalog's Model object, with what it makes of what, and what it is best for. */
function withMakes(model: CatalogModel) {
  const { from, to } = makesOf(model);
  const bestFor = bestForOf(model);
  return { ...model, makes: { from, to }, ...(bestFor !== undefined && { best_for: bestFor }) };
}

function listText(models: readonly CatalogModel[], footnote: string): string {
  if (models.length === 0) return 'no model fits';
  const width = process.stdout.isTTY ? process.stdout.columns : undefined;
  return `${modelList(models, width)}\n\n${footnote}`;
}

async function modelText(model: CatalogModel): Promise<string> {
  const { modelPage } = await import('../models/model-page.ts');
  return modelPage(model, process.stdout.columns ?? WIDTH_OF_A_PAGE);
}

/** `documented` holds what the interface document says beyond the catalog's Model object. */
function modelJson(model: CatalogModel): string {
  const documented = modelLibrary.get(model.id);
  return indentedJson(documented ? { ...withMakes(model), documented } : withMakes(model));
}
