# SPDX-License-Identifier: BSD-3-Clause
"""Solves Poisson's equation on a square of N x N cells of degree 2 by GetFEM: getfem_poisson.py N"""
import sys

import getfem
import numpy

step = 1 / int(sys.argv[1])
lines = numpy.arange(0, 1 + step / 2, step)
mesh = getfem.Mesh("regular simplices", lines, lines)
elements = getfem.MeshFem(mesh, 1)
elements.set_fem(getfem.Fem("FEM_PK(2,2)"))
rule = getfem.MeshIm(mesh, getfem.Integ("IM_TRIANGLE(4)"))
boundary = 1
mesh.set_region(boundary, mesh.outer_faces())
model = getfem.Model("real")
model.add_fem_variable("u", elements)
model.add_Laplacian_brick(rule, "u")
model.add_initialized_data("source", [1.0])
model.add_source_term_brick(rule, "u", "source")
model.add_Dirichlet_condition_with_multipliers(rule, "u", elements, boundary)
model.solve("lsolver", "mumps")
print(f"answer {model.variable('u').max():.12g}")
