// Connect four in boardgame.io, driven by lines of JSON on standard input: one answer a line.
'use strict';
const { Client } = require('boardgame.io/client');
const { MCTSBot } = require('boardgame.io/ai');
const { game, legal } = require('./game');

function result(ctx) {
  if (!ctx.gameover) return null;
  return ctx.gameover.draw ? 0 : ctx.gameover.winner === '0' ? 1 : -1;
}

function began() {
  const client = Client({ game, debug: false });
  client.start();
  return client;
}

// The legal columns before every disc and the result after the last, of given games.
function replay({ games }) {
  return games.map((columns) => {
    const client = began();
    const legals = columns.map((column) => {
      const listed = legal(client.getState().G);
      client.moves.drop(column);
      return listed;
    });
    return { legals, result: result(client.getState().ctx) };
  });
}

function steps({ count }) {
  let made = 0;
  while (made < count) {
    const client = began();
    while (!client.getState().ctx.gameover) {
      const columns = legal(client.getState().G);
      client.moves.drop(columns[Math.floor(Math.random() * columns.length)]);
      made += 1;
    }
    client.stop();
  }
  return made;
}

async function search({ simulations }) {
  const bot = new MCTSBot({ game, enumerate: game.ai.enumerate, iterations: simulations, seed: 1 });
  await bot.play(began().getState(), '0');
  return simulations;
}

const work = { replay, steps, search };

require('readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const asked = JSON.parse(line);
  const cpu = process.cpuUsage(), wall = process.hrtime.bigint();
  const made = await work[asked.do](asked);
  const used = process.cpuUsage(cpu);
  console.log(JSON.stringify({
    made, cpu: (used.user + used.system) / 1e6, wall: Number(process.hrtime.bigint() - wall) / 1e9,
  }));
});
