type Color = readonly [red: number, green: number, blue: number];

interface AccentColors {
  readonly light: string;
  readonly dark: string;
  /** The color of elements under the pointer. */
  readonly lightHover: string;
  readonly darkHover: string;
}

const BLACK: Color = [0, 0, 0];
const WHITE: Color = [255, 255, 255];

/**
 * The background with the least contrast to the accent: the darkest one in the light theme, and the lightest one in the
 * dark theme.
 */
const LIGHT_SURFACE: Color = [241, 243, 246];
const DARK_SURFACE: Color = [28, 32, 38];

/** WCAG requires 4.5. The rest is for backgrounds that are tinted with the accent. */
const MIN_CONTRAST = 5;
const STEP = 0.04;

/** Darkens or lightens the color of a team until text in it is readable. Null if the text is not a color. */
export function accentColors(hex: string): AccentColors | null {
  const color = parseHex(hex);
  if (color === null) return null;
  const light = readable(color, LIGHT_SURFACE, BLACK);
  const dark = readable(color, DARK_SURFACE, WHITE);
  return {
    light: css(light),
    dark: css(dark),
    lightHover: css(mixed(light, BLACK, 0.2)),
    darkHover: css(mixed(dark, WHITE, 0.3)),
  };
}

/** The contrast of two colors as defined by WCAG 2.2, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

/** Parses `#rgb` or `#rrggbb`. Null if the text is neither. */
export function parseHex(hex: string): Color | null {
  const short = /^#([\da-f])([\da-f])([\da-f])$/i
    .exec(hex)
    ?.slice(1)
    .map((digit) => digit + digit);
  const pairs = short ?? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(hex)?.slice(1);
  if (pairs === undefined) return null;
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue];
}

function readable(color: Color, surface: Color, toward: Color): Color {
  for (let part = 0; part < 1; part += STEP) {
    const tried = mixed(color, toward, part);
    if (contrast(tried, surface) >= MIN_CONTRAST) return tried;
  }
  return toward;
}

function mixed(color: Color, other: Color, part: number): Color {
  const [red = 0, green = 0, blue = 0] = color.map((value, index) =>
    Math.round(value + ((other[index] ?? 0) - value) * part),
  );
  return [red, green, blue];
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function css(color: Color): string {
  return `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
