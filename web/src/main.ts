import './lib/tokens.css';
import './lib/base.css';
import './lib/table.css';
import './lib/language';
import { mount } from 'svelte';
import App from './App.svelte';

mount(App, { target: document.getElementById('page')! });
