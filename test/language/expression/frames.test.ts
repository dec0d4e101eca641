import { describe, expect, it } from 'vitest';
import { ask, gives, refuses } from './ask.ts';

describe('frames and sound of a video', () => {
  it('a time is written as a text or as a number of seconds, and counted from the end where it is below zero', () => {
    gives([
      ["steps.shot.frame_at('2.5s')", 'the address of an image', 'derived:frame_at/2.5/ab'],
      ["steps.shot.frame_at('150ms')", 'the address of an image', 'derived:frame_at/0.15/ab'],
      ['steps.shot.frame_at(2)', 'the address of an image', 'derived:frame_at/2/ab'],
      ['steps.shot.frame_at(0.1 + 0.2)', 'the address of an image', 'derived:frame_at/0.3/ab'],
      ["steps.shot.frame_at('-1s')", 'the address of an image', 'derived:frame_at/-1/ab'],
      ['steps.shot.frame_at(-0.25)', 'the address of an image', 'derived:frame_at/-0.25/ab'],
      ['steps.shot.frame_at(steps.shot.media.duration / 2)', 'the address of an image', 'derived:frame_at/2.5/ab'],
      ["steps.shot.frame_at('5s')", 'the address of an image', 'derived:frame_at/5/ab'],
      [
        "steps.many.map(s, s.frame_at('1s'))",
        'a list of addresses',
        ['derived:frame_at/1/cd', 'derived:frame_at/1/ef'],
      ],
    ]);
  });

  it('what is no time, and what has no frames, is told before anything runs', () => {
    refuses([
      [
        "steps.shot.frame_at('2,5s')",
        "check: ‹all› `2,5s` is no time in a video; write `'2.5s'`, `'150ms'`, a number of seconds, or `'-1s'` for one second before its end",
      ],
      [
        'steps.shot.frame_at(true)',
        'check: ‹all› `frame_at` does not take a video result and true or false; it is written `video.frame_at(time)` or `video.frame_at(seconds)`',
      ],
      [
        "steps.shot.result_url.frame_at('1s')",
        'check: ‹all› `frame_at` does not take the address of a video and a text; the result itself is asked, not its address: `steps.shot.frame_at(…)`',
      ],
      [
        "steps.many.frame_at('1s')",
        'check: ‹all› `frame_at` does not take a list of video results and a text; ask one of the list: `each.frame_at(…)`, or `….map(s, s.frame_at(…))` for all of them',
      ],
      ['steps.shot.last_frame()', 'check: ‹last_frame› there is no function `last_frame`; write `video.last_frame`'],
    ]);
  });

  it('what lies past the end of a video whose length is known is a mistake', () => {
    const beyond =
      "`steps.shot.frame_at('6s')`: the video is 5.0s long and has no frame at 6s; ask for one between 0s and 5s, or for its `last_frame`";
    expect(ask("steps.shot.frame_at('6s')").failure).toContain(beyond);
    expect(ask('steps.shot.frame_at(-5.1)').failure).toContain('has no frame at -5.1s');
  });

  it('a time is a text or a number that is there: what is computed is looked at when it is', () => {
    expect(ask("steps.shot.frame_at('1' + '0')").failure).toContain('`10` is no time in a video');
    expect(ask('steps.shot.frame_at(1.0 / 0.0)').failure).toContain('is no time in a video');
  });
});
