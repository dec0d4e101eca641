/** Functions of CEL and of other languages that are not offered here, each with what to write instead, or why it is not there. */

/** Another spelling, or another language's: what is written here. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...same('upper()', 'upperAscii toUpper toUpperCase upperCase uppercase upcase'),
  ...same('lower()', 'lowerAscii toLower toLowerCase lowerCase lowercase downcase'),
  ...same('size(x)', 'length len count strlen'),
  ...same('string(x)', 'toString str text to_string String'),
  ...same('int(x)', 'toInt parseInt integer number Number uint to_number toNumber math.trunc trunc'),
  ...same('double(x)', 'float parseFloat toFloat'),
  ...same('bool(x)', 'boolean toBool'),
  ...same('json(x)', 'toJSON toJson tojson to_json stringify dumps dump jsonencode'),
  ...same('text.contains(part)` or `value in list', 'includes include'),
  ...same('size(x) == 0', 'empty isEmpty is_empty isBlank'),
  ...same('text.split(separator)', 'explode chars'),
  ...same('list.join(separator)', 'implode strings.join'),
  ...same('one + other', 'concat append extend'),
  ...same('text.trim()', 'strip trimStart trimEnd lstrip rstrip'),
  ...same('text.substring(from, to)', 'substr charAt left right truncate'),
  ...same('text.replace(part, with)', 'replaceAll sub gsub regexReplace'),
  ...same('slug(text)', 'slugify kebab kebabCase strings.slug'),
  ...same('list[0]', 'first head'),
  ...same('list.last()', 'tail'),
  ...same('list[i]', 'at get nth lookup element'),
  ...same('list.exists(item, condition)', 'any some'),
  ...same('list.all(item, condition)', 'every'),
  ...same('list.exists_one(item, condition)', 'existsOne'),
  ...same('list.filter(item, condition)[0]', 'find'),
  ...same('list.filter(item, condition)', 'select where reject'),
  ...same('list.map(item, expression)', 'collect transform transformList pluck'),
  ...same('range(size(list)).map(i, … list[i] …)', 'enumerate withIndex'),
  ...same('list.sum()', 'total reduce fold inject math.sum'),
  ...same('list.sort()', 'sorted order'),
  ...same('list.sortBy(item, key)', 'sort_by orderBy sorted_by'),
  ...same('list.reverse()', 'reversed'),
  ...same('list.distinct()', 'unique uniq toSet set'),
  ...same('list.flatten()', 'flat flatMap flat_map'),
  ...same('range(from, to)', 'lists.range seq sequence xrange'),
  ...same('math.least(…)', 'min minimum math.min lowest'),
  ...same('math.greatest(…)', 'max maximum math.max highest'),
  ...same('math.ceil(x)', 'ceil ceiling'),
  ...same('math.floor(x)', 'floor'),
  ...same('math.abs(x)', 'abs'),
  ...same('round(x)', 'math.round rint'),
  ...same('has(x) ? x : y', 'default coalesce ifNull orValue optional'),
  ...same('has(value.field)', 'exists_key isset defined hasKey'),
  ...same("'key' in mapping", 'containsKey'),
  ...same('cel.bind(name, value, expression)', 'let with'),
  ...same('env.NAME', 'getenv env'),
  ...same("video.frame_at('2.5s')", 'frameAt frame screenshot snapshot grab seek get_frame'),
  ...same('video.last_frame', 'last_frame lastFrame end_frame'),
  ...same('video.first_frame', 'first_frame firstFrame thumbnail poster'),
  ...same('video.sound', 'sound audio soundtrack extract_audio'),
};

/** Not offered by whatever name, and why. */
const REASONS: Readonly<Record<string, string>> = {
  ...same(
    'a pattern can take hours; use `contains`, `startsWith`, `endsWith` or `in`',
    'matches match regex test re_match',
  ),
  ...same('a check knows every type before the run; take it out', 'type typeof dyn isinstance is_string'),
  ...same(
    'no field holds one; lengths are numbers of seconds here, like `steps.shot.media.duration`',
    'duration getHours getMinutes getSeconds getMilliseconds',
  ),
  ...same(
    'no field holds one, and an expression has no clock, so that a plan is the same tomorrow; give the time as a param',
    'timestamp now date time today getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear strftime formatDate',
  ),
  ...same('no field holds bytes; name the file instead', 'bytes base64 base64Encode encode decode b64encode'),
  ...same('a plan must be the same tomorrow; use `matrix: { seed: [1, 2] }` or a param', 'random rand uuid shuffle'),
  ...same('text goes around expressions: `take ${{ n }} of ${{ total }}`', 'format printf sprintf quote'),
  ...same(
    'what comes as JSON is read already: `steps.NAME.json.field`',
    'fromJSON fromJson fromjson parseJson parse_json jsondecode loads',
  ),
  ...same(
    'lists that belong together are objects on one axis: `matrix: { row: [ { voice: …, line: … } ] }`',
    'zip product combine',
  ),
  ...same(
    'what follows a failed step is not run, and nothing else is stopped; take the condition out, or compare a value',
    'success failure always cancelled',
  ),
  ...same('files are declared under `data:` and read as `data.NAME`', 'file readFile read glob fileset hashFiles'),
};

function same(advice: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map(name => [name, advice]));
}

export type Foreign = { readonly instead: string } | { readonly because: string };

export function foreignFunction(name: string): Foreign | undefined {
  if (Object.hasOwn(SPELLINGS, name)) return { instead: SPELLINGS[name]! };
  return Object.hasOwn(REASONS, name) ? { because: REASONS[name]! } : undefined;
}
