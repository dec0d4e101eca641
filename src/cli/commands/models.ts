/** `shotlist models [ID]`: what can be asked of a service, and what it costs. The built-in studio starts for `--live` alone. */
import type { CatalogModel } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { nothingBehind, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { catalogText, modelIn, serviceCatalog, studioCatalog, withMakes } from '../models/model-catalog.ts';
import { jsonText, print, stdoutLook } from '../outlets.ts';
import { withService } from '../service/with-service.ts';

export const main = command('models', async ({ values, positionals }) => {
  const { live, json } = values;
  const [id, ...more] = positionals;
  nothingBehind(more, 'models', 'one model');
  if (id === undefined && live) throw new UsageError('--live refreshes one model: shotlist models ID --live');
  return withService(values, async connection => {
    const catalog = connection.choice.hosted || live ? serviceCatalog(connection) : await studioCatalog();
    if (id === undefined) print(catalogText(await catalog.list({}), catalog, json));
    else {
      const model = await modelIn(catalog, id, { live });
      print(json ? modelJson(model) : `${await modelText(model)}\n`);
    }
    return 0;
  });
});

async function modelText(model: CatalogModel): Promise<string> {
  const { modelPage } = await import('../models/model-page.ts');
  return modelPage(model, stdoutLook().width);
}

/** `documented` holds what the interface document has beyond the catalog's Model object. */
function modelJson(model: CatalogModel): string {
  const documented = modelLibrary.get(model.id);
  return jsonText(documented ? { ...withMakes(model), documented } : withMakes(model));
}
