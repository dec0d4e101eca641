/** A film whose steps wait for each other in chains: paid, a command, paid, a command. What each must come to is known before it is made. */
import { createHash } from 'node:crypto';
import { pictureFor } from './chaos-service.ts';

/** Paid steps and commands of one shot, half of each. */
export const STEPS_OF_SHOT = 4;

/** What some films have more. */
export interface FilmExtras {
  /** A paid step more in each shot, of a model that the film brings up and down. */
  readonly hasLook: boolean;
  /** How many paid steps it has that other films ask for as well. */
  readonly common: number;
}
export const NO_EXTRAS: FilmExtras = { hasLook: false, common: 0 };

export const teamFilm = (film: number, shots: number, { hasLook, common } = NO_EXTRAS): string => `shotlist: 1
name: chaos-${film}
${hasLook ? 'models: { look: { id: fox-look, activate: true } }\n' : ''}steps:
  still:
    matrix: { shot: 1..${shots} }
    model: I-GEN-A
    with: { prompt: "film ${film}, shot \${{ matrix.shot }}: a fox", num_inference_steps: 1, output_format: png }
  read:
    each: { still: "\${{ steps.still }}" }
    run: sha256sum <"$picture" | tee sum.txt
    shell: sh
    files: { picture: "\${{ each.still.file }}" }
    creates: { sum: sum.txt }
  relit:
    each: { still: "\${{ steps.still }}", read: "\${{ steps.read }}" }
    model: I-EDIT-A
    with:
      prompt: "film ${film}, shot \${{ matrix.shot }}, relit: \${{ each.read.stdout }}"
      input_image: ["\${{ each.still.result_url }}"]
      output_format: png
  seal:
    each: { relit: "\${{ steps.relit }}" }
    run: sha256sum <"$picture" | tee sum.txt
    shell: sh
    files: { picture: "\${{ each.relit.file }}" }
    creates: { sum: sum.txt }
${hasLook ? LOOK(film) : ''}${moons(common).map(moonStep).join('')}outputs:
  stills: { from: "\${{ steps.still }}", to: "out/${film}/still-{shot}.png" }
  reads: { from: "\${{ steps.read.files.sum }}", to: "out/${film}/read-{shot}.txt" }
  relits: { from: "\${{ steps.relit }}", to: "out/${film}/relit-{shot}.png" }
${moons(common)
  .map(n => moonOutput(film, n))
  .join(
    '',
  )}${hasLook ? `  styled: { from: "\${{ steps.styled }}", to: "out/${film}/styled-{shot}.png" }\n` : ''}  seals: { from: "\${{ steps.seal.files.sum }}", to: "out/${film}/seal-{shot}.txt" }
`;

const LOOK = (film: number): string => `  styled:
    each: { still: "\${{ steps.still }}", read: "\${{ steps.read }}" }
    model: look
    with: { prompt: "film ${film}, shot \${{ matrix.shot }}, styled", output_format: png }
`;

const moons = (common: number): readonly number[] => Array.from({ length: common }, (_, index) => index + 1);
/** One after the other: films that wait for the same one ask for the next at the same moment. */
const moonStep = (n: number): string => `  moon_${n}:
    model: I-GEN-A
    needs: [${n > 1 ? `moon_${n - 1}` : ''}]
    with: { prompt: "a moon, ${n}", output_format: png }
`;
const moonOutput = (film: number, n: number): string =>
  `  moon_${n}: { from: "\${{ steps.moon_${n} }}", to: "out/${film}/moon-${n}.png" }\n`;

/** Generations that `budgetFilm` may make; it learns in the run that it wants more. */
export const BUDGET = 3;
/** What all its prompts begin with. */
export const BUDGETED = 'budgeted';
export const budgetFilm = `shotlist: 1
name: chaos-budget
budget: { generations: ${BUDGET} }
steps:
  list: { run: "echo '[1,2,3,4,5,6,7,8]'" }
  grown:
    matrix: { n: "\${{ steps.list.json }}" }
    max: 8
    model: I-GEN-A
    with: { prompt: "${BUDGETED}, \${{ matrix.n }}", output_format: png }
`;

/** A film of requests alone, two for each shot. */
export const paidFilm = (film: number, shots: number): string => `shotlist: 1
name: paid-${film}
steps:
  still:
    matrix: { shot: 1..${shots} }
    model: I-GEN-A
    with: { prompt: "film ${film}, shot \${{ matrix.shot }}: a fox", num_inference_steps: 1, output_format: png }
  relit:
    each: { still: "\${{ steps.still }}" }
    model: I-EDIT-A
    with:
      prompt: "film ${film}, shot \${{ matrix.shot }}, relit"
      input_image: ["\${{ each.still.result_url }}"]
      output_format: png
`;

/** Where an output is put → its bytes. */
export function outputsOf(film: number, shots: number, { hasLook, common } = NO_EXTRAS): ReadonlyMap<string, Buffer> {
  const outputs = new Map<string, Buffer>();
  for (let n = 1; n <= common; n++) outputs.set(`out/${film}/moon-${n}.png`, pictureFor('I-GEN-A', `a moon, ${n}`));
  for (let shot = 1; shot <= shots; shot++) {
    const still = pictureFor('I-GEN-A', `film ${film}, shot ${shot}: a fox`);
    const relit = pictureFor('I-EDIT-A', `film ${film}, shot ${shot}, relit: ${sumOf(still)}`);
    outputs.set(`out/${film}/still-${shot}.png`, still);
    if (hasLook)
      outputs.set(`out/${film}/styled-${shot}.png`, pictureFor('fox-look', `film ${film}, shot ${shot}, styled`));
    outputs.set(`out/${film}/read-${shot}.txt`, Buffer.from(`${sumOf(still)}\n`));
    outputs.set(`out/${film}/relit-${shot}.png`, relit);
    outputs.set(`out/${film}/seal-${shot}.txt`, Buffer.from(`${sumOf(relit)}\n`));
  }
  return outputs;
}

/** As `sha256sum` says it of what it reads. */
const sumOf = (bytes: Buffer): string => `${createHash('sha256').update(bytes).digest('hex')}  -`;
