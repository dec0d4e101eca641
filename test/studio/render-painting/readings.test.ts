/** What is read from prompts as people write them, English and Chinese. Read the lines as a director would: that is the test. */
import { expect, test } from 'vitest';
import { readAloud } from './read-aloud.ts';

type Row = readonly [prompt: string, seconds: number, ...shots: string[]];
const PROMPTS: readonly Row[] = [
  [
    '[0-2s] wide shot, slow pan: a red fox crosses a frozen river at dawn, snow falling. [2-4s] medium shot, tracking: the fox trots along the far bank. [4-6s] close-up, push in: it looks back',
    6,
    '0–2 wide, slow pan-right | river in winter, dawn, snow, calm | fox walks | “A red fox crosses a frozen river at dawn, snow falling.”',
    '2–4 medium, tracking | river in winter, dawn, snow, calm | fox runs | “The fox trots along the far bank.”',
    '4–6 close, push-in | river in winter, dawn, snow, calm | fox stands, looks back | “It looks back”',
  ],
  [
    'medium shot, tracking: the clockmaker stops time in the forest, dawn',
    4,
    '0–4 medium, tracking | forest, dawn, calm | person stands | “The clockmaker stops time in the forest, dawn”',
  ],
  [
    'product photo of a red chair, plain studio background',
    4,
    '0–4 medium, drift | interior, dawn, calm | 🪑 chair stands, red',
  ],
  [
    'product photo of a blue lamp, plain studio background',
    4,
    '0–4 medium, drift | interior, dawn, calm | product stands, blue, lantern',
  ],
  [
    'product shot of a perfume bottle with an amber label',
    4,
    '0–4 medium, drift | interior, dawn, calm | product stands | perfume',
  ],
  [
    '0:00–0:02 an empty street at night, rain. 0:02–0:05 a taxi stops, a woman gets out',
    5,
    '0–2 wide, drift | city, night, rain, calm | nobody | “An empty street at night, rain.”',
    '2–5 wide, drift | city, night, rain, calm | car stands, woman | “A taxi stops, a woman gets out”',
  ],
  [
    '0-3s: extreme wide of a desert at noon, 3-6s: a camel caravan, medium shot, tracking',
    6,
    '0–3 extreme-wide, drift | desert, day, calm | nobody | “Extreme wide of a desert at noon”',
    '3–6 medium, tracking | desert, day, calm | camel stands | herd | “A camel caravan”',
  ],
  [
    'From 0 to 2 seconds a boy runs on a beach; from 2 to 5 seconds he jumps into the sea, slow motion',
    5,
    '0–2 medium, drift | coast, dawn, calm | person runs, child | beach | “A boy runs on a beach”',
    '2–5 medium, slow drift | ocean, dawn, calm | person stands, child | “He jumps into the sea”',
  ],
  [
    '(0s) a candle in a dark room (2s) the window, rain outside (4s) close-up of a face',
    6,
    '0–2 medium, drift | interior, night, calm | 🕯 candle stands, white, lantern | “A candle in a dark room”',
    '2–4 medium, drift | interior, night, rain, calm | 🕯 candle stands, white | “The window, rain outside”',
    '4–6 close, drift | interior, night, rain, calm | person stands | “Close-up of a face”',
  ],
  [
    'Shot 1: establishing, a lighthouse on a cliff at dusk. Shot 2: medium, the keeper climbs the stairs with a lantern. Shot 3: close-up of the lamp',
    9,
    '0–3 extreme-wide, drift | coast, dusk, calm | lighthouse stands | “A lighthouse on a cliff at dusk.”',
    '3–6 medium, drift | coast, dusk, calm | person stands, old, beard, lantern | “The keeper climbs the stairs with a lantern.”',
    '6–9 close, drift | coast, dusk, calm | person stands, old, beard, lantern | “Close-up of the lamp”',
  ],
  [
    'Scene 1: a city at dawn. Scene 2: the same city at night, neon',
    6,
    '0–3 wide, drift | city, dawn, calm | nobody | skyline | “A city at dawn.”',
    '3–6 wide, drift | city, neon, calm | nobody | skyline | “The same city at night, neon”',
  ],
  [
    'Shot 2 of the trailer: a train in the snow',
    4,
    '0–4 wide, drift | snowfield in winter, dawn, snow, calm | train stands',
  ],
  [
    'A chef plates a dish in a kitchen. Cut to: close-up of the sauce. Cut to: a guest smiles',
    6,
    '0–2 medium, drift | interior, dawn, calm | person stands, toque | “A chef plates a dish in a kitchen”',
    '2–4 close, drift | interior, dawn, calm | person stands, toque | “Close-up of the sauce”',
    '4–6 medium, drift | interior, dawn, calm | person stands, toque | “A guest smiles”',
  ],
  [
    'Multi-shot: a surfer waits on the beach. She paddles out. A big wave breaks.',
    6,
    '0–2 medium, drift | coast, dawn, calm | person stands | beach | “A surfer waits on the beach.”',
    '2–4 medium, drift | coast, dawn, calm | person stands, woman | beach | “She paddles out.”',
    '4–6 medium, drift | ocean, dawn, calm | person stands, woman | “A big wave breaks.”',
  ],
  [
    'A multi-shot video of a dancer in a warehouse',
    6,
    '0–2 wide, drift | interior, dawn, calm | person stands | “A dancer in a warehouse”',
    '2–4 medium, drift | interior, dawn, calm | person stands | “A dancer in a warehouse”',
    '4–6 close, drift | interior, dawn, calm | person stands | “A dancer in a warehouse”',
  ],
  [
    'single shot of a horse galloping across a prairie, tracking shot, golden hour',
    5,
    '0–5 wide, tracking | field, golden, calm | horse runs',
  ],
  [
    'One continuous take: handheld, we follow a waiter through a crowded restaurant, then cut to nothing',
    5,
    '0–5 medium, handheld | interior, dawn, calm | person stands',
  ],
  [
    '第0-2秒：远景，清晨的湖面。第2-4秒：特写，一只鹿喝水',
    4,
    '0–2 wide, drift | river, dawn, calm | nobody | “清晨的湖面。”',
    '2–4 close, drift | river, dawn, calm | deer stands | “一只鹿喝水”',
  ],
  [
    '镜头1：全景，雪山，日出。镜头2：中景，登山者向上走。镜头3：特写，他的脸',
    9,
    '0–3 wide, drift | mountain in winter, dawn, snow, calm | nobody | “雪山，日出”',
    '3–6 medium, drift | mountain in winter, dawn, snow, calm | person walks | “登山者向上走”',
    '6–9 close, drift | mountain in winter, dawn, snow, calm | person stands | “他的脸”',
  ],
  [
    '多镜头：一个女孩在樱花树下读书。风吹起花瓣。她抬头微笑。',
    6,
    '0–2 medium, drift | field, dawn, petals, calm | person stands, woman, child | “一个女孩在樱花树下读书。”',
    '2–4 medium, drift | field, dawn, petals, calm | person stands, woman, child | “风吹起花瓣。”',
    '4–6 medium, drift | field, dawn, petals, calm | person stands, woman, child | “她抬头微笑。”',
  ],
  ['一镜到底：无人机飞越沙漠，夕阳', 5, '0–5 extreme-wide, aerial | desert, sunset, calm | nobody'],
  [
    'portrait of a lighthouse keeper in a yellow raincoat, medium shot, stormy coast, dusk',
    1,
    '0–1 medium, drift | coast in a storm, dusk, heavy rain, tense | person stands, old, beard, souwester, raincoat, yellow',
  ],
  [
    'Establishing shot: an old lighthouse on a cliff above the stormy sea at night, rain, crane up',
    5,
    '0–5 extreme-wide, crane-up | coast in a storm, night, heavy rain, tense | lighthouse stands | “An old lighthouse on a cliff above the stormy sea at night, rain”',
  ],
  [
    '雨夜，霓虹灯下的城市街道，一个女人撑伞走过，镜头推进',
    5,
    '0–5 medium, push-in | city, neon, rain, calm | person walks, woman | umbrella, skyline | “雨夜，霓虹灯下的城市街道，一个女人撑伞走过”',
  ],
  [
    '清晨，一只狐狸走过结冰的河，特写，固定镜头，下雪',
    4,
    '0–4 close, locked | river in winter, dawn, snow, calm | fox walks',
  ],
  [
    'A deer runs through a misty forest at golden hour, tracking shot',
    3,
    '0–3 wide, tracking | forest, golden, fog, calm | deer runs | “A deer runs through a misty forest at golden hour”',
  ],
  [
    'Macro product shot of a perfume bottle in a studio, orbit, evening',
    5,
    '0–5 extreme-close, orbit | interior, dusk, calm | product stands | perfume',
  ],
  [
    'A sailor runs across the deck of a ship at sunset, handheld',
    5,
    '0–5 medium, handheld | ocean, sunset, calm | person runs, cap | “A sailor runs across the deck of a ship at sunset”',
  ],
  [
    'Slow dolly in on a violinist on a stage, warm light',
    5,
    '0–5 medium, slow push-in | interior, golden, calm | person stands',
  ],
  [
    'camera pulls back from a clock on a wall to reveal an empty station',
    5,
    '0–5 medium, pull-out | interior, dawn, calm | product stands | clock',
  ],
  [
    'Drone shot flying over a green valley in the morning mist',
    5,
    '0–5 extreme-wide, aerial | mountain, dawn, fog, calm | nobody',
  ],
  [
    'The camera orbits a red sports car on a wet street, neon signs, night',
    5,
    '0–5 wide, orbit | city, neon, calm | car stands, red',
  ],
  [
    'tilt up from the roots of a giant tree to its crown, forest, sunlight through leaves',
    5,
    '0–5 wide, tilt-up | forest, day, calm | nobody',
  ],
  ['Whip pan right across a boxing crowd', 3, '0–3 wide, fast pan-right | city, dawn, calm | crowd stands'],
  [
    'Static shot, tripod, an old man feeds birds in a park, overcast autumn day',
    5,
    '0–5 medium, locked | field, overcast, calm | person stands, old | “An old man feeds birds in a park, overcast autumn day”',
  ],
  [
    'crash zoom on a cowboy in the desert at noon, tense',
    3,
    '0–3 medium, fast zoom-in | desert, day, tense | person stands, brim',
  ],
  [
    'crane down onto a wedding party in a garden at sunset, joyful',
    5,
    '0–5 wide, crane-down | field, sunset, joyful | crowd stands',
  ],
  [
    'dutch angle, a detective in a hat and trench coat walks down an alley, noir, rain',
    5,
    '0–5 medium, roll | city, overcast, rain, sad | person walks, brim, coat',
  ],
  [
    'truck left along a row of bottles in a bar, medium shot',
    5,
    '0–5 medium, truck-left | interior, dawn, calm | product stands | “Truck left along a row of bottles in a bar”',
  ],
  [
    '镜头缓慢向左摇，海边的老灯塔，暴风雨，夜晚',
    5,
    '0–5 wide, slow pan-left | coast in a storm, night, heavy rain, calm | lighthouse stands, old | beach | “海边的老灯塔，暴风雨，夜晚”',
  ],
  [
    '手持镜头，跟拍一个男孩在雨中的街道奔跑',
    5,
    '0–5 medium, handheld | city, dawn, rain, calm | person runs, child | “跟拍一个男孩在雨中的街道奔跑”',
  ],
  ['镜头环绕一瓶香水，微距，室内', 5, '0–5 extreme-close, orbit | interior, dawn, calm | product stands | perfume'],
  ['A red fox', 4, '0–4 wide, drift | forest, dawn, calm | fox stands'],
  [
    'a woman in a red dress dances in the rain under a streetlight',
    5,
    '0–5 medium, drift | city, night, rain, calm | person stands, woman, dress, red',
  ],
  ['An astronaut walks on the moon, earth rising', 5, '0–5 medium, drift | space, night, calm | person walks, helmet'],
  ['two friends laugh in a café in Paris', 5, '0–5 medium, drift | interior, dawn, joyful | couple stands'],
  ['A robot waters flowers on a rooftop garden at sunset', 5, '0–5 medium, drift | city, sunset, calm | robot stands'],
  [
    'a whale breaches beside a small boat, aerial',
    5,
    '0–5 extreme-wide, aerial | ocean, dawn, calm | whale stands | “A whale breaches beside a small boat”',
  ],
  [
    'Steam train crossing a stone bridge over a river, autumn forest',
    5,
    '0–5 wide, drift | river, golden, fog, calm | train walks | steam engine',
  ],
  [
    'A cat sleeps on a windowsill while it rains outside',
    5,
    '0–5 wide, drift | interior, dawn, rain, calm | cat stands | asleep',
  ],
  [
    'portrait of an elderly fisherman with a beard, close-up, foggy harbor',
    5,
    '0–5 close, drift | coast, dawn, fog, calm | person stands, old, beard, souwester',
  ],
  [
    'Wolf howling on a ridge under a full moon, winter',
    5,
    '0–5 wide, drift | mountain in winter, night, calm | wolf stands',
  ],
  [
    'Close-up of hands kneading dough, kitchen, morning light',
    5,
    '0–5 close, drift | interior, dawn, calm | person stands',
  ],
  [
    'A sailboat in a storm, huge waves, lightning',
    5,
    '0–5 wide, drift | ocean in a storm, overcast, heavy rain, tense | ship stands',
  ],
  ['fireflies over a meadow at night, magical', 5, '0–5 wide, drift | field, night, fireflies, calm | nobody'],
  [
    'Macro of a butterfly on a flower, morning dew',
    5,
    '0–5 extreme-close, drift | field, dawn, calm | butterfly stands',
  ],
  [
    'product shot: a pair of white sneakers rotating on a black background',
    5,
    '0–5 medium, drift | interior, dawn, calm | product stands, white | shoe',
  ],
  [
    'Abstract liquid gold flowing, macro, slow motion',
    5,
    '0–5 extreme-close, slow drift | abstract, dawn, calm | nobody | “Abstract liquid gold flowing”',
  ],
  ['a spaceship drifts past a ringed planet, epic', 5, '0–5 wide, drift | space, dawn, epic | rocket stands'],
  [
    'A couple walks along the beach at sunset, silhouettes',
    5,
    '0–5 medium, drift | coast, sunset, calm | couple walks | beach',
  ],
  [
    'children run through a wheat field, summer, happy',
    5,
    '0–5 medium, drift | field, day, joyful | person runs, child',
  ],
  [
    'An old house on a hill at night, one window lit, thunder',
    5,
    '0–5 wide, drift | mountain in a storm, night, heavy rain, calm | house stands',
  ],
  [
    'a lonely man sits at a bar, neon light, medium close-up',
    5,
    '0–5 medium, drift | interior, neon, sad | person stands | “A lonely man sits at a bar, neon light”',
  ],
  [
    'samurai standing in falling cherry blossoms, low angle, dramatic',
    5,
    '0–5 medium, drift | field, dawn, petals, calm | person stands, straw',
  ],
  [
    'campfire in the woods, sparks rising, stars',
    5,
    '0–5 wide, drift | forest, night, embers, calm | nobody | campfire',
  ],
  [
    'A polar bear on melting ice, arctic, grey sky',
    5,
    '0–5 wide, drift | snowfield in winter, overcast, calm | bear stands',
  ],
  [
    'Underwater: a diver among coral and fish, sunbeams',
    5,
    '0–5 medium, drift | underwater, day, calm | person stands',
  ],
  [
    '一个穿红裙的女人在雨夜的街上走，霓虹灯',
    5,
    '0–5 medium, drift | city, neon, rain, calm | person walks, woman, dress, red',
  ],
  ['森林里的木屋，下雪，黄昏，炊烟', 5, '0–5 wide, drift | forest in winter, dusk, snow, fog, calm | house stands'],
  ['宇航员漂浮在太空中，地球在身后，宏大', 5, '0–5 medium, drift | space, dawn, epic | person stands, helmet'],
  [
    '老渔夫在海边，大雾，清晨，半身',
    5,
    '0–5 medium, drift | coast, dawn, fog, calm | person stands, old, beard, souwester | beach | “老渔夫在海边，大雾，清晨”',
  ],
  ['赛博朋克城市，飞车穿过，航拍，夜', 5, '0–5 extreme-wide, aerial | city, neon, calm | nobody | skyline'],
  ['竹林里一只熊猫吃竹子，阳光', 5, '0–5 wide, drift | forest, day, calm | panda stands | bamboo'],
  ['一匹白马在草原上奔跑，蓝天白云', 5, '0–5 wide, drift | field, day, calm | horse runs, white'],
  [
    '沙漠里的骆驼队，日落，远景',
    5,
    '0–5 wide, drift | desert, sunset, calm | camel stands | herd | “沙漠里的骆驼队，日落”',
  ],
  ['厨师在厨房里切菜，近景，暖光', 5, '0–5 close, drift | interior, golden, calm | person stands, toque'],
  [
    '孤独的灯塔，月光，海浪，固定镜头',
    5,
    '0–5 wide, locked | coast, night, sad | lighthouse stands | “孤独的灯塔，月光，海浪”',
  ],
  ['xyzzy plugh', 3, '0–3 wide, drift | abstract, dawn, calm | nobody'],
  ['', 3, '0–3 wide, drift | abstract, dawn, calm | nobody'],
  [
    'A film about nothing in particular, 24 fps, 4K, masterpiece, highly detailed',
    5,
    '0–5 wide, drift | abstract, dawn, calm | nobody',
  ],
  [
    'no people, just clouds passing over a mountain lake, time-lapse',
    5,
    '0–5 wide, fast drift | mountain, dawn, calm | nobody | “No people, just clouds passing over a mountain lake”',
  ],
  [
    'A watch over the city: a guard on the wall watches the road at midnight',
    5,
    '0–5 medium, drift | city, night, calm | person stands | skyline',
  ],
  [
    'The sailor sails home: a ship, a harbour, a lamp in a window',
    5,
    '0–5 medium, drift | ocean, dawn, calm | person stands, cap, lantern',
  ],
  [
    'She pans for gold in a stream, medium shot',
    5,
    '0–5 medium, drift | river, dawn, calm | person stands, woman | “She pans for gold in a stream”',
  ],
  [
    'Spring water runs over stones, close-up',
    5,
    '0–5 close, drift | river, dawn, calm | nobody | “Spring water runs over stones”',
  ],
  [
    'A storm of applause: the audience stands, theatre, joyful',
    5,
    '0–5 wide, drift | interior, dawn, joyful | crowd stands',
  ],
  ['Day for night: the truck right behind the bus', 5, '0–5 wide, drift | road, day, calm | car stands'],
  [
    'Scene one: a bakery before sunrise. Scene two: the first customer enters.',
    6,
    '0–3 wide, drift | interior, dawn, calm | nobody | “A bakery before sunrise.”',
    '3–6 medium, drift | interior, dawn, calm | person stands | “The first customer enters.”',
  ],
  [
    'SHOT 1 - WIDE - a desert road. SHOT 2 - CLOSE - a hand turns the key.',
    6,
    '0–3 wide, drift | desert, dawn, calm | nobody | “A desert road.”',
    '3–6 close, drift | desert, dawn, calm | nobody | “A hand turns the key.”',
  ],
  [
    '1) wide shot of a castle 2) close-up of a knight 3) the gate opens',
    6,
    '0–2 wide, drift | mountain, dawn, calm | house stands | castle | “Wide shot of a castle”',
    '2–4 close, drift | mountain, dawn, calm | person stands, hood | castle | “Close-up of a knight”',
    '4–6 medium, drift | mountain, dawn, calm | person stands, hood | castle | “The gate opens”',
  ],
  [
    'First, a wide shot of the city at night. Next, a medium shot of a man on a rooftop. Finally, a close-up of his eyes.',
    6,
    '0–2 wide, drift | city, night, calm | nobody | skyline | “A wide shot of the city at night.”',
    '2–4 medium, drift | city, night, calm | person stands | skyline | “A medium shot of a man on a rooftop.”',
    '4–6 close, drift | city, night, calm | person stands | skyline | “A close-up of his eyes.”',
  ],
  [
    'INT. KITCHEN - NIGHT. A woman opens the fridge, light on her face.',
    5,
    '0–5 medium, drift | interior, night, calm | person stands, woman',
  ],
  [
    'a golden retriever puppy playing in autumn leaves, low angle, slow motion',
    5,
    '0–5 wide, slow drift | city, golden, calm | dog stands | “A golden retriever puppy playing in autumn leaves, low angle”',
  ],
  [
    'A lone astronaut plants a flag on Mars, dust storm approaching, epic wide shot',
    5,
    '0–5 wide, drift | desert in a storm, overcast, heavy dust, tense | person stands, helmet | mars',
  ],
  [
    'Two samurai face each other in tall grass, wind, tense, over-the-shoulder',
    5,
    '0–5 medium, drift | field, dawn, tense | couple stands, straw | “Two samurai face each other in tall grass, wind, tense”',
  ],
  [
    'neon-lit arcade, teenagers playing, handheld, energetic',
    5,
    '0–5 medium, handheld | interior, neon, joyful | person stands',
  ],
  [
    'a ballerina spins on an empty stage, spotlight, dolly around her',
    5,
    '0–5 medium, orbit | interior, dawn, calm | person stands, woman',
  ],
  [
    'jellyfish drifting in deep blue water, slow, dreamy',
    5,
    '0–5 wide, slow drift | underwater, dawn, calm | 🪼 jellyfish stands, blue',
  ],
  [
    'Wide shot. Dawn. A herd of elephants crosses the savanna. Golden light.',
    5,
    '0–5 wide, drift | field, dawn, calm | elephant walks | savanna, herd',
  ],
  [
    '镜头一：清晨的茶园，薄雾。镜头二：采茶女特写。',
    6,
    '0–3 wide, drift | field, dawn, fog, calm | nobody | “清晨的茶园，薄雾”',
    '3–6 close, drift | field, dawn, fog, calm | person stands, woman | “采茶女特写。”',
  ],
  [
    '老奶奶在厨房包饺子，暖黄灯光，中景，固定镜头',
    5,
    '0–5 medium, locked | interior, golden, calm | person stands, old | “老奶奶在厨房包饺子，暖黄灯光”',
  ],
  [
    '画面淡入：海上日出，渔船，远景，镜头缓缓上升',
    5,
    '0–5 wide, slow crane-up | ocean, dawn, calm | ship stands | “画面淡入：海上日出，渔船”',
  ],
  [
    '高铁穿过雪原，航拍',
    5,
    '0–5 extreme-wide, aerial | snowfield in winter, dawn, snow, calm | train walks | “高铁穿过雪原”',
  ],
  ['一只猫头鹰在月光下飞过森林', 5, '0–5 wide, drift | forest, night, calm | bird stands | raptor'],
];

test.each(PROMPTS.map(([prompt, seconds, ...shots]) => ({ prompt, seconds, shots })))('$prompt', row => {
  expect(readAloud(row.prompt, row.seconds)).toEqual(row.shots);
});

test('the table is as long as it should be, in both languages', () => {
  const chinese = PROMPTS.filter(([prompt]) => /[\u4e00-\u9fff]/.test(prompt));
  expect([PROMPTS.length >= 60, chinese.length >= 15]).toEqual([true, true]);
});
