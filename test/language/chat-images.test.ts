/** What a chat model is shown: `images` beside `prompt`, or parts of messages that the author writes himself. */
import { describe, expect, it } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { film, told } from './said.ts';

const STEPS = `
        hero: { model: I-GEN-A, with: { prompt: a fox } }
        clip: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
        grab: { run: [ ./grab.sh ], creates: { frame: frame.png, sound: wind.wav } }
        notes: { model: C-D, with: { prompt: a title } }`;

const steps = (lines: string) => told(`\n      steps:${STEPS}${lines}`);

describe('images that a chat model is shown', () => {
  it('are stills of steps, files and addresses, in a list or from an expression', () => {
    expect(
      steps(`
        look:
          model: C-B
          with:
            system: You are a director.
            prompt: what is missing?
            images: [ "\${{ steps.hero.result_url }}", media/ref.png, "https://images.example/a.jpg", "\${{ steps.grab.files.frame.file }}" ]
        more:
          model: C-H
          with:
            prompt: which is best?
            images: "\${{ [steps.hero].map(h, h.result_url) }}"
      `),
    ).toBe('');
  });

  it('are typed: a clip, sound, words, a whole result or one alone is found before anything is asked', () => {
    expect(
      steps(`
        look:
          model: C-B
          with:
            prompt: what is missing?
            images:
              - \${{ steps.clip.result_url }}
              - \${{ steps.grab.files.sound.file }}
              - \${{ steps.notes.text }}
              - \${{ steps.notes.finish_reason }}
              - \${{ steps.hero }}
              - media/take.mp4
              - /tmp/a.png
              - 7
        one: { model: C-B, with: { prompt: what is it?, images: media/ref.png } }
        alone: { model: C-B, with: { prompt: what is it?, images: "\${{ steps.hero.result_url }}" } }
      `),
    ).toMatchInlineSnapshot(`
      "13:11 ‹\${{ steps.clip.result_url }}› an entry of \`images\` of C-B takes an image, but this is a video; give it a step that makes an image
      14:11 ‹\${{ steps.grab.files.sound.file }}› an entry of \`images\` of C-B takes an image, but this is audio; give it a step that makes an image
      16:11 ‹\${{ steps.notes.finish_reason }}› an entry of \`images\` of C-B takes the address of an image, but this leads to none; read \`result_url\`
      17:11 ‹\${{ steps.hero }}› an entry of \`images\` of C-B takes an address, but this is an image result; add \`.result_url\`
      18:11 ‹media/take.mp4› an entry of \`images\` of C-B takes an image, but this name ends like a video; give it an image
      19:11 ‹/tmp/a.png› \`/tmp/a.png\` is not relative; give a path relative to the file, or an https:// address
      20:11 ‹7› an entry of \`images\` of C-B takes the address of an image, not \`7\`; write "7" with quotes
      21:59 ‹media/ref.png› \`images\` of C-B takes a list of addresses of images, not \`media/ref.png\`; write \`[media/ref.png]\`
      22:61 ‹"\${{ steps.hero.result_url }}"› \`images\` of C-B takes a list of addresses of images, but this is the address of an image; put it in a list: \`["\${{ … }}"]\`"
    `);
  });

  it('go with a prompt, and with a model that sees', () => {
    expect(
      steps(`
        blind: { model: C-D, with: { prompt: what is it?, images: [ media/ref.png ] } }
        mute: { model: C-B, with: { images: [ media/ref.png ] } }
        both: { model: C-B, with: { messages: [{ role: user, content: x }], images: [ media/ref.png ] } }
        still: { model: I-GEN-A, with: { prompt: a fox, images: [ media/ref.png ] } }
        own:
          model: C-A
          with:
            messages:
              - role: user
                content: [ { type: text, text: what is it? }, { type: image_url, image_url: { url: media/ref.png } } ]
      `),
    ).toMatchInlineSnapshot(`
      "8:53 ‹images› C-D reads words alone and cannot be shown an image; \`C-B\` and \`C-H\` can
      9:31 ‹images› images are shown, but nothing is asked about them; add a \`prompt\`
      10:71 ‹images› \`images\` goes with \`prompt\`; among your own \`messages\` make the content a list, with \`{ type: image_url, image_url: { url: … } }\` for each image
      11:51 ‹images› I-GEN-A has no field \`images\`; it has \`prompt\`, \`num_inference_steps\`, \`seed\` and \`output_format\`
      17:57 ‹{ type: image_url, image_url: { url: media/ref.png } }› C-A reads words alone and cannot be shown an image; \`C-B\` and \`C-H\` can"
    `);
  });

  it('stand in messages of the author just as well, and are typed there too', () => {
    expect(
      steps(`
        look:
          model: C-B
          with:
            messages:
              - role: user
                content:
                  - { type: text, text: what is this? }
                  - { type: image_url, image_url: { url: media/ref.png } }
                  - { type: image_url, image_url: { url: "\${{ steps.clip.result_url }}", detail: low } }
                  - { type: image_url, image_url: media/ref.png }
                  - { image_url: { ulr: media/ref.png } }
      `),
    ).toMatchInlineSnapshot(`
      "16:52 ‹"\${{ steps.clip.result_url }}"› \`url\` of \`image_url\` of an entry of \`content\` of an entry of \`messages\` of C-B takes an image, but this is a video; give it a step that makes an image
      17:45 ‹media/ref.png› \`image_url\` of an entry of \`content\` of an entry of \`messages\` of C-B takes a mapping, not \`media/ref.png\`; write { url: media/ref.png }
      18:15 ‹{ image_url: { ulr: media/ref.png } }› an entry of \`content\` of an entry of \`messages\` of C-B needs \`type\`; add it
      18:28 ‹{ ulr: media/ref.png }› \`image_url\` of an entry of \`content\` of an entry of \`messages\` of C-B needs \`url\`; add it"
    `);
  });

  it('may be a default of all chat steps that see, like what they are told', () => {
    const text = film(`
      defaults: { with: { system: You are terse., images: [ media/ref.png ], temperature: 0.2 } }
      steps:
        look: { model: C-B, with: { prompt: what is it? } }
        other: { model: C-B, with: { prompt: and this?, images: [ media/b.png ], system: Be kind. } }
        own: { model: C-H, with: { messages: [ { role: user, content: x } ] } }
        blind: { model: C-D, with: { prompt: a title } }
        clip: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
    `);
    const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
    expect(diagnostics).toEqual([]);
    const given = pipeline!.steps.map(step =>
      step.kind === 'generate' ? step.with.entries.map(({ name }) => name) : [],
    );
    expect(given).toEqual([
      ['messages', 'images', 'temperature'],
      ['messages', 'images', 'temperature'],
      ['messages', 'temperature'],
      ['messages', 'temperature'],
      ['prompt', 'duration'],
    ]);
    expect(
      told('defaults: { with: { imagess: [ a.png ] } }\nsteps: { a: { model: C-B, with: { prompt: x } } }\n'),
    ).toContain('no model in this file has a field `imagess`, so this default does nothing; did you mean `images`?');
  });

  it('and what stands beside them are never sent as fields that nobody reads', () => {
    expect(
      steps(`
        a: { model: C-B, with: { promt: what is it?, image: [ media/ref.png ] } }
        b: { model: C-B, with: { prompt: what is it?, input_image: [ media/ref.png ], sytem: be terse } }
        c: { model: C-D, with: { prompt: what is it?, image_urls: [ media/ref.png ], seed: 3 } }
      `),
    ).toMatchInlineSnapshot(`
      "8:28 ‹promt› C-B has no field \`promt\`; did you mean \`prompt\`?
      8:48 ‹image› C-B has no field \`image\`; did you mean \`images\`?
      9:49 ‹input_image› C-B has no field \`input_image\`; did you mean \`images\`?
      9:81 ‹sytem› C-B has no field \`sytem\`; did you mean \`system\`?
      10:49 ‹image_urls› C-D reads words alone and cannot be shown an image; \`C-B\` and \`C-H\` can
      10:80 ‹seed› warning: C-D is not known to have a field \`seed\`; it is sent as it is, the service may refuse it"
    `);
  });
});
