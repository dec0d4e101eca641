/** A film whose steps wait for each other in chains: paid, a command, paid, a command. What each must come to is known before it is made. */
import { createHash } from 'node:crypto';
import { pictureFor } from './chaos-service.ts';

/** Paid steps and commands of one shot, half of each. */
export const STEPS_OF_SHOT = 4;

/** @param hasLook a paid step more in each shot, of a model that the film brings up and down. */
export const teamFilm = (film: number, shots: number, hasLook = false): string => `shotlist: 1
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
${hasLook ? LOOK(film) : ''}outputs:
  stills: { from: "\${{ steps.still }}", to: "out/${film}/still-{shot}.png" }
  reads: { from: "\${{ steps.read.files.sum }}", to: "out/${film}/read-{shot}.txt" }
  relits: { from: "\${{ steps.relit }}", to: "out/${film}/relit-{shot}.png" }
${hasLook ? `  styled: { from: "\${{ steps.styled }}", to: "out/${film}/styled-{shot}.png" }\n` : ''}  seals: { from: "\${{ steps.seal.files.sum }}", to: "out/${film}/seal-{shot}.txt" }
`;

const LOOK = (film: number): string => `  styled:
    each: { still: "\${{ steps.still }}", read: "\${{ steps.read }}" }
    model: look
    with: { prompt: "film ${film}, shot \${{ matrix.shot }}, styled", output_format: png }
`;

/** Where an output is put → its bytes. */
export function outputsOf(film: number, shots: number, hasLook = false): ReadonlyMap<string, Buffer> {
  const outputs = new Map<string, Buffer>();
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
