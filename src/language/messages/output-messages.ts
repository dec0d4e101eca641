/** `outputs` and `save`. */
import { a, and, error, or, quoted, withSuggestion } from './foreign/wording.ts';

export const outputMessages = {
  outputForm: (form: string, step: string) =>
    `output-form: \`as: ${form}\` is the timeline of a \`cut\`, and \`${step}\` is none; take it out`,
  outputFormEnding: (path: string, form: string) =>
    `output-form: ${quoted(path)} will hold a timeline, and does not end so; end it in \`.${form}\``,
  nothingSaved: (step: string, ending: string, coordinates: readonly string[]) => ({
    code: 'nothing-saved',
    message: `nothing of this film is saved under a name of its own; write \`save: out/${[step, ...coordinates.map(name => `{${name}}`)].join('-')}${ending}\` on the step that is wanted, or name it under \`outputs:\``,
  }),
  outputFrom: (step: string | undefined) =>
    `output-from: \`from\` takes a step, or one file of a command; write ${step === undefined ? '`${{ steps.name }}` or `${{ steps.name.files.name }}`' : `\`\${{ steps.${step} }}\``}`,
  outputFromField: (of: string) => `output-from: \`from\` takes the whole result; write \`\${{ ${of} }}\``,
  outputWhichFile: (step: string, files: readonly string[]) =>
    error(
      'output-file',
      files.length === 0
        ? `step \`${step}\` creates no files; declare them under \`creates:\``
        : `step \`${step}\` is a command; say which of its files: ${or(files.map(file => `\`\${{ steps.${step}.files.${file} }}\``))}`,
    ),
  saveWhichFile: (files: readonly string[]) =>
    error(
      'output-file',
      files.length === 0
        ? '`save` needs a file to save, and this command creates none; declare it under `creates:`'
        : '`save` cannot tell which of these files is meant; name them under `outputs:`',
    ),
  outputExpression: (coordinate: string | undefined) =>
    `output-to: a path holds no expressions, only coordinates of its step in braces; ${coordinate === undefined ? 'its step is not fanned out, so write a plain name' : `write \`{${coordinate}}\``}`,
  outputBraces: (path: string) => `output-to: the braces of ${quoted(path)} do not match; write \`{name}\``,
  outputPath: (path: string, step = 'film') =>
    error(
      'path-leaves',
      /^[^./\\~][^\\]*\/$/.test(path)
        ? `${quoted(path)} is a folder; name a file in it, like \`${path}${step}.mp4\``
        : `${quoted(path)} is not a file inside the project; use a relative path without \`..\`, like \`out/film.mp4\``,
    ),
  outputCharacter: (path: string) =>
    `output-path: ${quoted(path.replaceAll(/\p{Cc}/gu, '�'))} holds a character that no file name can; take it out`,
  outputAddress: (path: string) =>
    `output-path: ${quoted(path)} is an address, and an output is a file of the project; write one, like \`out/${path.split('/').at(-1) || 'film.mp4'}\`, and let a command with \`effect: true\` upload it`,
  outputBackslash: (path: string) => {
    const instead = path.replaceAll('\\', '/');
    return withSuggestion(
      `output-path: ${quoted(path)} holds a backslash, and folders are parted by \`/\` on every system; write ${quoted(instead)}`,
      path,
      instead,
    );
  },
  outputStar: (path: string) =>
    `output-path: ${quoted(path)} holds a \`*\`, and an output is one file; write its name, or the coordinates that tell its instances apart, like \`{seed}\``,
  outputNameTooLong: (name: string, bytes: number, most: number) =>
    `output-path: the name ${quoted(name)} has ${bytes} bytes, and a file system takes ${most}; shorten it`,
  outputDevice: (name: string) =>
    `output-path: ${quoted(name)} is a device on Windows, not a file; choose another name`,
  outputFolder: (path: string, folder: string, instead: string) =>
    `output-path: ${quoted(path)} lies in \`${folder}\`, which belongs to other tools; write it elsewhere, like \`${instead}\``,
  outputHidden: (path: string, instead: string) =>
    `output-path: ${quoted(path)} is a hidden file, as tools keep them; write it elsewhere, like \`${instead}\``,
  outputPipeline: (path: string) =>
    `output-path: ${quoted(path)} has the pipeline's own name, and could take its place; give it another`,
  outputTaken: (path: string, name: string, instead: string) =>
    `output-path: ${quoted(path)} would take the place of a file that tools read (\`${name}\`); write it elsewhere${instead === `out/${name}` ? '' : `, like \`${instead}\``}, under another name`,
  outputIsFolder: (path: string, other: string) =>
    `output-path: ${quoted(path)} lies inside ${quoted(other)}, which is an output too and cannot be a folder; give it another name`,
  outputExtension: (path: string, ending: string, promised: string, made: string) =>
    `output-extension: ${quoted(path)} ends like ${a(promised)}, and this is ${a(made)}; give it ${made === 'text' ? 'an ending of texts' : `the ending of ${a(made)}`}, like \`${ending}\``,
  unknownPlaceholder: (name: string, step: string, near: string | undefined, coordinates: readonly string[]) =>
    withSuggestion(
      `unknown-placeholder: step \`${step}\` has no coordinate \`${name}\`; ${near && name.endsWith(`.${near}`) ? `write \`{${near}}\`` : near ? `did you mean \`{${near}}\`?` : coordinates.length > 0 ? `it has ${and(coordinates)}` : 'it is not fanned out, so take the braces out'}`,
      name,
      near,
    ),
  collision: (step: string, missing: readonly string[]) =>
    `output-collision: step \`${step}\` has one result for each ${missing.map(name => `\`${name}\``).join(' and ')}, and all would be written to one path; add ${and(missing.map(name => `{${name}}`))}`,
  listInOnePath: () =>
    'output-collision: this is a list of files, and all would be written to one path; add `{n}`, the number of each, like `out/part-{n}.mp4`',
  numberIsAxis: (step: string) =>
    `output-number: \`{n}\` is the number of each file of the list, and step \`${step}\` has a coordinate called \`n\`; give that another name`,
  savedTwice: (step: string) => `saved-twice: step \`${step}\` is saved here and under \`outputs\`; keep one`,
  samePath: (path: string) => `same-path: two outputs write ${quoted(path)}; give each its own path`,
};
