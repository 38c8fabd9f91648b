// Tells what the page's boards are drawn of, as JSON: `node art.mjs letters|pieces`, run in web/.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(path.resolve("package.json"));
const [what, target] = process.argv.slice(2);

/** Fonts for texts and for large digits, by letters that a browser would load together. */
async function letters() {
  const subset = require("subset-font");
  const folder = "node_modules/@fontsource-variable/fraunces";
  const all = Array.from({ length: 0x180 - 0x20 }, (_, i) =>
    String.fromCharCode(0x20 + i),
  ).join("");
  const cuts = { text: { opsz: 14, wght: 480 }, bold: { opsz: 36, wght: 620 } };
  const fonts = {};
  for (const [name, axes] of Object.entries(cuts)) {
    fonts[name] = [];
    for (const part of ["latin", "latin-ext"]) {
      const whole = await readFile(
        `${folder}/files/fraunces-${part}-full-normal.woff2`,
      );
      const how = {
        targetFormat: "truetype",
        variationAxes: { SOFT: 0, WONK: 0, ...axes },
      };
      fonts[name].push(
        (await subset(whole, `${all}–—‘’‚“”„…•×−€`, how)).toString("base64"),
      );
    }
  }
  return { fonts, licence: await readFile(`${folder}/LICENSE`, "utf8") };
}

/** Gems, stones, the island and the cards, by the modules that draw them on the page. */
async function pieces() {
  const source = path.resolve("src/games");
  const lines = [
    `export { gem, LETTERS, CORNERS } from '${source}/carat/cuts';`,
    `export { faces, inOrder, shadow, silhouette } from '${source}/carnac/block';`,
    `export { MARKS as CARVINGS } from '${source}/carnac/marks';`,
    `export { above } from '${source}/carnac/projection';`,
    `export * from '${source}/catan_dice/art';`,
    `export { CENTRE, HEXES, HEX_SIDE, JOINTS, JOKERS, ROADS, SITES, SIZE } from '${source}/catan_dice/island';`,
    `export { ART } from '${source}/catan_dice/faces';`,
    `export { SHAPES } from '${source}/kwatro/cards';`,
    `export { MARKS as SIGNS } from '${path.resolve("src/lib")}/marks';`,
  ];
  const silent = {
    name: "silent",
    load: (id) => (id.endsWith(".words") ? "export default {}" : null),
  };
  silent.resolveId = (id) => {
    if (id === "art") return "art.entry";
    if (id === "$messages" || id === "$lib/format") return "silent.words";
    return id.startsWith("$lib/")
      ? path.resolve("src/lib", `${id.slice(5)}.ts`)
      : null;
  };
  const load = silent.load;
  silent.load = (id) => (id === "art.entry" ? lines.join("\n") : load(id));
  const { rolldown } = await import(
    pathToFileURL(require.resolve("rolldown")).href
  );
  const bundle = await rolldown({
    input: "art",
    plugins: [silent],
    shimMissingExports: true,
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "es" });
  const page = await import(
    `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
  );
  return {
    signs: page.SIGNS,
    carat: carat(page),
    carnac: carnac(page),
    catan_dice: catan(page),
    kwatro: page.SHAPES,
  };
}

const carat = ({ gem, LETTERS, CORNERS }) =>
  Object.fromEntries(
    LETTERS.flatMap((letter) =>
      CORNERS.map(({ key, angle }) => [`${letter}-${key}`, gem(letter, angle)]),
    ),
  );

/** Stones from above as they stand on 0, 0 or lie with their first square there. */
function carnac({ faces, inOrder, shadow, silhouette, above, CARVINGS }) {
  const eye = above(0, 0);
  const [left, top] = eye.at([0, 0, 0]);
  const view = {
    ...eye,
    at: (place) =>
      eye.at(place).map((value, axis) => value - [left, top][axis]),
  };
  const other = { r: "w", w: "r" };
  const poses = {};
  for (const colour of "rw") {
    for (const side of "rw")
      poses[colour + side] = {
        x: 0,
        y: 0,
        top: colour,
        side,
        fall: null,
        angle: 0,
        lift: 0,
      };
    const lying = { top: other[colour], angle: 90, lift: 0 };
    poses[`${colour}E`] = { ...lying, x: -1, y: 0, side: colour, fall: "E" };
    poses[`${colour}S`] = {
      ...lying,
      x: 0,
      y: -1,
      side: other[colour],
      fall: "S",
    };
  }
  const drawn = ([name, pose]) => [
    name,
    {
      shadow: shadow(pose, view),
      outline: silhouette(pose, view),
      faces: inOrder(faces(pose, view)),
    },
  ];
  return {
    stones: Object.fromEntries(Object.entries(poses).map(drawn)),
    carvings: CARVINGS,
  };
}

const catan = ({
  COAST,
  LAKE,
  TERRAIN_ART,
  hexagon,
  HEX_SIDE,
  SIZE,
  CENTRE,
  HEXES,
  ROADS,
  SITES,
  JOINTS,
  ART,
}) => ({
  ...{
    size: SIZE,
    centre: CENTRE,
    coast: COAST,
    lake: LAKE,
    hex: hexagon(HEX_SIDE - 13),
  },
  ...{
    hexes: HEXES,
    roads: ROADS,
    sites: SITES,
    joints: JOINTS,
    faces: ART,
    terrain: TERRAIN_ART,
  },
});

await writeFile(
  target,
  JSON.stringify(what === "letters" ? await letters() : await pieces()),
);
