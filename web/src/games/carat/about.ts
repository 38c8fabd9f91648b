import * as m from '$messages';
import type { About } from '$lib/names';

export default {
  title: m.carat_title,
  size: m.carat_players,
  about: m.carat_about,
  // The server leaves open which colours go together; the page offers the two ways people play.
  choices: {
    colours: ({ players }) =>
      players === 2
        ? [
            { value: null, label: m.option_colours_one() },
            { value: ['RB', 'YG'], label: m.option_colours_two() },
          ]
        : [],
  },
} satisfies About;
