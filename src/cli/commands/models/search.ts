/** `shotlist models search WORD developer=NAME`: models by a word of their name, by developer, by fine-tuning action. */
import { UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { catalogText, type ModelFilters, serviceCatalog, studioCatalog } from '../../models/model-catalog.ts';
import { print } from '../../outlets.ts';
import { withService } from '../../service/with-service.ts';

export const main = command('models search', async ({ values, positionals }) => {
  const filters = filtersIn(positionals);
  return withService(values, async connection => {
    const catalog = connection.choice.hosted ? serviceCatalog(connection) : await studioCatalog();
    print(catalogText(await catalog.list(filters), catalog, values.json));
    return 0;
  });
});

/** As the catalog calls them. */
const FIELDS: Readonly<Record<string, 'developer_name' | 'action'>> = { developer: 'developer_name', action: 'action' };

function filtersIn(words: readonly string[]): ModelFilters {
  if (words.length === 0) throw new UsageError('which models? shotlist models search WORD, or developer=NAME');
  const search: string[] = [];
  const fields: Record<string, string> = {};
  for (const word of words) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(word) ?? [];
    if (name === '') search.push(word);
    else if (FIELDS[name] === undefined)
      throw new UsageError(`models are found by ${Object.keys(FIELDS).join(' and ')}, and not by ${name}`);
    else fields[FIELDS[name]] = value;
  }
  return { ...fields, ...(search.length > 0 && { search: search.join(' ') }) };
}
