"""Faults on purpose: kills, lost writes, full disks, bad networks, hostile messages.

Short in the tests beside the modules, long by `python -m tests.faults` (`make faults`). Each
part plays against real servers on real databases, writes down what people were told, and
compares that with the log (`histories`).
"""
