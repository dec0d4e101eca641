/**
 * What the writer knows of places, light and weather. The words are those the studio's own renderer listens for
 * (`render/words.ts`): a prompt that says dawn is drawn at dawn. A test holds every phrase to the thing it stands under.
 */
import type { Place, TimeOfDay, WeatherKind } from '../vocabulary.ts';

type Some = readonly [string, ...string[]];

export interface Ground {
  /** Where a story without a place of its own is set. */
  readonly name: string;
  /** `on the river`, `in the forest`. */
  readonly on: string;
  /** How one gets to the other side of it. */
  readonly through: string;
  readonly edge: string;
  /** What can be reached there. */
  readonly far: string;
  /** Small things a camera finds. */
  readonly details: Some;
  readonly frozen?: Some;
  readonly trouble: Some;
  readonly frozenTrouble?: Some;
  readonly sound: string;
}

const SNOW: Some = [
  'frost on every stem',
  'ice crystals catching the light',
  'a crust of old ice',
  'breath hanging in the cold',
];

export const GROUNDS: Readonly<Record<Place, Ground>> = {
  river: {
    name: 'the river',
    on: 'on',
    through: 'across',
    edge: 'the near bank of',
    far: 'the far bank',
    details: [
      'reeds bending along the bank',
      'dark water sliding past the stones',
      'rings spreading on the surface',
      'driftwood caught against the bank',
    ],
    frozen: [
      'dark water moving under clear ice',
      'reeds stiff with frost',
      'a long white crack running through the ice',
      'powder blowing in thin lines over the ice',
    ],
    trouble: ['the current pulls at every step', 'a stone turns underfoot and the water rises'],
    frozenTrouble: ['the ice cracks with a long low note', 'a dark seam opens in the ice just ahead'],
    sound: 'water over stones, wind in the reeds',
  },
  mountain: {
    name: 'the mountain',
    on: 'on',
    through: 'over',
    edge: 'the foot of',
    far: 'the pass',
    details: [
      'loose stones rolling away',
      'lichen pale on grey rock',
      'a ridge fading behind the next',
      'thin grass flattened by the wind',
    ],
    frozen: [
      'ice in the cracks of the rock',
      'a cornice hanging over the drop',
      'spindrift streaming off the ridge',
      'a line of old footprints filled with ice',
    ],
    trouble: ['the slope gives way in a rattle of stones', 'a gust comes over the ridge and nothing else can be heard'],
    sound: 'wind over rock, stones falling far below',
  },
  forest: {
    name: 'the forest',
    on: 'in',
    through: 'through',
    edge: 'the edge of',
    far: 'the clearing',
    details: [
      'moss on fallen trunks',
      'ferns nodding as something passes',
      'shafts of light between the trunks',
      'needles drifting down',
    ],
    frozen: [
      'powder sliding from a bent branch',
      'bark rimed white on one side',
      'prints between the trunks',
      'icicles on the lowest branches',
    ],
    trouble: ['a branch breaks somewhere close behind', 'everything falls silent all at once'],
    sound: 'creaking trunks, one bird far off',
  },
  coast: {
    name: 'the coast',
    on: 'on',
    through: 'along',
    edge: 'the edge of',
    far: 'the last rocks',
    details: [
      'foam running back between the rocks',
      'wet stones shining',
      'salt spray in the air',
      'kelp turning in a pool',
    ],
    trouble: ['a wave breaks higher than the last and the path is gone', 'the rocks are slick and one foot slips'],
    sound: 'surf, gulls, a bell buoy',
  },
  ocean: {
    name: 'the open ocean',
    on: 'on',
    through: 'over',
    edge: 'the edge of',
    far: 'the line of land',
    details: [
      'spray torn from the crests',
      'long swell rolling under',
      'light broken on the water',
      'foam trailing behind',
    ],
    trouble: ['a wall of water rises dead ahead', 'the swell drops away and everything tilts'],
    sound: 'wind, swell, a rope knocking on wood',
  },
  city: {
    name: 'the street',
    on: 'in',
    through: 'through',
    edge: 'the corner of',
    far: 'the open square',
    details: [
      'reflections on wet asphalt',
      'a loose sign swaying',
      'a shop sign humming',
      'windows lit one above the other',
    ],
    frozen: [
      'ice on the tram wires',
      'grey slush along the kerb',
      'a garden chair under a white crust',
      'windows fogged from inside',
    ],
    trouble: [
      'a light goes out overhead, then the next',
      'a siren turns the corner and everything is blue for a second',
    ],
    sound: 'distant engines, a humming sign',
  },
  desert: {
    name: 'the desert',
    on: 'in',
    through: 'across',
    edge: 'the edge of',
    far: 'the line of green',
    details: [
      'sand running over a crest',
      'ripples in the sand',
      'heat shimmering above the ground',
      'a single dry shrub',
    ],
    trouble: ['a brown wall of sand comes up behind', 'the ground slides and the way up is gone'],
    sound: 'wind over sand',
  },
  field: {
    name: 'the field',
    on: 'in',
    through: 'across',
    edge: 'the edge of',
    far: 'the gate',
    details: [
      'stems parting and closing',
      'seed heads lit from behind',
      'a fence running out of sight',
      'insects over the stems',
    ],
    frozen: [
      'stubble showing through white',
      'a wire fence furred with frost',
      'hoar on every stem',
      'a furrow filled with ice',
    ],
    trouble: ['the wind lays everything flat', 'something moves against the wind a few steps away'],
    sound: 'wind in the stems, a lark',
  },
  road: {
    name: 'the long road',
    on: 'on',
    through: 'along',
    edge: 'the shoulder of',
    far: 'the lights of the next town',
    details: [
      'white lines running out of frame',
      'telegraph poles passing',
      'gravel on the shoulder',
      'the horizon wavering',
    ],
    trouble: ['headlights come over the rise, too fast', 'the surface breaks off without a sign'],
    sound: 'tyres, wind, a wire humming',
  },
  snowfield: {
    name: 'the snowfield',
    on: 'on',
    through: 'across',
    edge: 'the edge of',
    far: 'the lee of a rock wall',
    details: SNOW,
    frozen: SNOW,
    trouble: ['the crust breaks and the cold comes in', 'the horizon disappears into white'],
    sound: 'wind, and nothing else',
  },
  interior: {
    name: 'the room',
    on: 'in',
    through: 'through',
    edge: 'the doorway of',
    far: 'the open door',
    details: [
      'motes turning in a shaft of light',
      'a lamp throwing a small circle',
      'a curtain moving',
      'the worn edge of a step',
    ],
    trouble: ['a glass rolls off and breaks', 'a door falls shut in the next room'],
    sound: 'a clock, pipes, footsteps above',
  },
  space: {
    name: 'deep space',
    on: 'in',
    through: 'through',
    edge: 'the edge of',
    far: 'the far light',
    details: ['stars turning slowly', 'a thin blue rim of atmosphere', 'frost on metal', 'small debris glinting past'],
    trouble: ['a warning light begins to blink', 'a panel tears loose without a sound'],
    sound: 'breathing, a fan, a low hum',
  },
  underwater: {
    name: 'the reef',
    on: 'over',
    through: 'over',
    edge: 'the edge of',
    far: 'the surface',
    details: [
      'bubbles rising past the lens',
      'bands of light on the sand',
      'weed swaying',
      'silt hanging in the water',
    ],
    trouble: ['the current turns and pulls outwards', 'a shadow slides across from above'],
    sound: 'bubbles, a low hum',
  },
  abstract: {
    name: 'an abstract space',
    on: 'in',
    through: 'through',
    edge: 'the edge of',
    far: 'the centre',
    details: ['colour folding into colour', 'fine particles settling', 'a slow ripple', 'soft gradients'],
    trouble: ['the pattern breaks into pieces', 'everything pulls towards one point'],
    sound: 'one long tone',
  },
};

export const LIGHTS: Readonly<Record<TimeOfDay, Some>> = {
  dawn: [
    'the first light of dawn, pale and blue',
    'a thin pink line of dawn on the horizon',
    'low dawn light and long cold shadows',
    'cool dawn light with a warm rim',
  ],
  day: [
    'clear daylight, crisp shadows',
    'soft daylight from one side',
    'high bright daylight',
    'even daylight, open shade',
  ],
  golden: [
    'low golden light, long shadows',
    'golden hour, the air full of glow',
    'golden backlight and warm flare',
    'a last golden edge on everything',
  ],
  sunset: [
    'a red sunset behind it all',
    'sunset colours fading upward',
    'sunset light raking in from the side',
    'silhouettes against the sunset',
  ],
  dusk: [
    'dusk, deep blue and quiet',
    'the last blue of dusk',
    'dusk with one warm light far away',
    'soft dusk, almost no shadows',
  ],
  night: [
    'night, a cold moonlit glow',
    'night with deep shadows and one hard light',
    'a dark night under clear stars',
    'night, silver edges on black',
  ],
  neon: [
    'neon light in magenta and blue',
    'neon signs spilling colour',
    'wet neon reflections',
    'flickering neon from one side',
  ],
  overcast: [
    'overcast light, soft and grey',
    'flat overcast light, muted colour',
    'a heavy overcast sky',
    'overcast light with a faint bright band',
  ],
};

export const WEATHER: Readonly<Record<WeatherKind, Some>> = {
  rain: ['rain falling', 'rain streaking past the lens', 'drops bouncing, heavy rain'],
  snow: ['snow falling', 'snow drifting across the frame', 'thick snow in the air'],
  fog: ['thin fog', 'fog rolling through', 'layers of mist'],
  dust: ['dust hanging in the air', 'dust blowing through', 'dusty air'],
  embers: ['embers drifting upward', 'sparks in the air', 'glowing embers'],
  fireflies: ['fireflies blinking', 'a few fireflies in the air', 'fireflies drifting'],
  petals: ['petals drifting down', 'petals in the wind', 'loose petals on the ground'],
  bubbles: ['bubbles rising', 'fine bubbles in the water', 'bubbles drifting past'],
};
