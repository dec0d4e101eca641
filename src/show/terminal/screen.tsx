/** The terminal during a run, drawn by Ink. Imported only where there is a terminal to draw on. */
import type { Instance } from 'ink';
import { RunScreen } from './components/run-screen.tsx';
import { pastExtent, pictureText } from './pictures/pictures.ts';
import { picturedMedia, SidePicture } from './pictures/side-picture.ts';
import { RunStore } from './run-store.ts';
import type { Screen, ScreenOptions } from './screen-options.ts';
import { startInk, TerminalStream } from './terminal-stream.ts';

/** Milliseconds that the end of a run waits for a picture. */
const PICTURE_PATIENCE = 4_000;

export function startScreen(options: ScreenOptions): Screen {
  const { terminal, person, gone } = options;
  const store = new RunStore(options);
  const output = new TerminalStream(terminal);
  const pictures =
    person && options.pictures
      ? new SidePicture({
          pictures: options.pictures,
          changed: () => void store.drawSoon(),
          signal: store.over.signal,
        })
      : undefined;
  let ink: Instance | undefined;
  const clear = () => ink?.clear();
  ink = startInk(<RunScreen {...{ store, output, pictures, clear }} />, output);
  // A closed terminal takes no more frames.
  const stay = gone?.(() => {
    store.close();
    store.stopListening();
  });

  return {
    ...(store.prompter && { decide: store.prompter.decide }),
    report: event => store.report(event),
    async close(): Promise<void> {
      const isOpen = !store.over.signal.aborted;
      store.close();
      stay?.();
      if (isOpen) store.draw();
      await ink.waitUntilRenderFlush();
      if (isOpen && store.run.finished) output.closeGap();
      if (isOpen) await showPicture();
      store.stopListening();
      ink.unmount();
      output.close();
      await pictures?.settled();
    },
  };

  /** Shows the film that was placed last, after a run that succeeded. */
  async function showPicture(): Promise<void> {
    const { run } = store;
    if (!options.pictures || run.finished?.outcome !== 'done') return;
    const made = run.outputs.toReversed().map(({ key }) => picturedMedia(run.instances.get(key)));
    const media = made.find(one => one !== undefined);
    if (!media) return;
    // The terminal answers through the keyboard, which is released right afterwards.
    const shows = await options.pictures.terminal();
    store.stopListening();
    if (!shows) return;
    try {
      const picture = await options.pictures.of(media, pastExtent(shows), AbortSignal.timeout(PICTURE_PATIENCE));
      if (picture) terminal.write(await pictureText(shows, picture));
    } catch {
      // The picture is an ornament: a failure to draw it is not reported.
    }
  }
}
